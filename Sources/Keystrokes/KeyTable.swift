/// A keyboard layout: the meaning of every key at every level.
///
/// A lookup reads one element of a 128 KiB array.
///
/// ```swift
/// KeyTable.us[.q, []]        // .character("q")
/// KeyTable.us[.q, .shift]    // .character("Q")
/// KeyTable.us[.f8, []]       // .unknown
/// ```
public struct KeyTable: Hashable, Sendable {
    /// One meaning for each key and level, ordered by key, then by level.
    private var cells: [KeyMeaning]
    /// The results of dead keys, ordered by dead key, then by next key.
    public private(set) var deadKeyPairs: [DeadKeyPair] = []

    /// Creates an empty table, in which all keys are unknown.
    ///
    /// It has room for the keys 0 to 255, which cover X11's layouts, and grows when a higher key is registered.
    public init() {
        cells = Array(repeating: .unknown, count: 256 * KeyLevel.count)
    }

    /// The meaning of `key` at `level`; ``KeyMeaning/unknown`` for a key that is not registered.
    ///
    /// - Parameters:
    ///   - key: The key; a meaning set for a key above ``KeyCode/highest`` is discarded.
    ///   - level: The modifiers and locks in effect.
    public subscript(key: KeyCode, level: KeyLevel) -> KeyMeaning {
        get {
            let index = Self.index(key, level)
            return index < cells.count ? cells[index] : .unknown
        }
        set {
            guard key.rawValue <= KeyCode.highest else { return }
            let missing = Self.index(key, []) + KeyLevel.count - cells.count
            if missing > 0 { cells += repeatElement(.unknown, count: missing) }
            cells[Self.index(key, level)] = newValue
        }
    }

    private static func index(_ key: KeyCode, _ level: KeyLevel) -> Int {
        Int(key.rawValue) * KeyLevel.count + Int(level.rawValue) % KeyLevel.count
    }

    /// Registers a meaning for `key` at every level; a key above ``KeyCode/highest`` is ignored.
    public mutating func register(_ meaning: KeyMeaning, for key: KeyCode) {
        for level in KeyLevel.all { self[key, level] = meaning }
    }

    /// All keys that the table has room for, registered or not.
    public var keys: [KeyCode] {
        (0..<cells.count / KeyLevel.count).map { KeyCode(rawValue: UInt16($0)) }
    }

    /// The size of the table in memory, in bytes.
    public var byteCount: Int {
        cells.count * MemoryLayout<KeyMeaning>.stride
            + deadKeyPairs.count * MemoryLayout<DeadKeyPair>.stride
    }
}

extension KeyTable {
    /// Looks up what a dead key and the next key type together.
    ///
    /// The result is ``KeyMeaning/dead(_:)`` if another key must follow, and ``KeyMeaning/unknown`` if the keys do not
    /// combine.
    public func composed(_ dead: DeadKey, with next: KeyMeaning) -> KeyMeaning {
        let place = DeadKeyPair.place(dead, next)
        var (low, high) = (0, deadKeyPairs.count)
        while low < high {
            let middle = (low + high) / 2
            if deadKeyPairs[middle].place < place { low = middle + 1 } else { high = middle }
        }
        guard low < deadKeyPairs.count, deadKeyPairs[low].dead == dead,
            deadKeyPairs[low].next == next
        else { return .unknown }
        return deadKeyPairs[low].result
    }

    /// Registers the results of dead keys; a pair replaces any earlier pair of the same two keys.
    public mutating func register(_ added: [DeadKeyPair]) {
        let pairs = (deadKeyPairs + added).map { ($0.place, $0) }
        deadKeyPairs = Dictionary(pairs, uniquingKeysWith: { $1 }).values
            .sorted { $0.place < $1.place }
    }
}

/// How a scanner reacts to the Caps Lock key.
public enum CapsHandling: String, Hashable, Sendable, CaseIterable {
    /// The Caps Lock key switches Caps Lock on and off; Caps Lock is off at first.
    case track
    case ignore
    /// Like ``track``, but Caps Lock is on at first, for a scanner that swaps upper and lower case.
    case inverted
}

extension KeyTable {
    /// Returns a copy of the table, adapted to how a scanner reacts to Caps Lock.
    ///
    /// For ``CapsHandling/inverted``, the copy swaps the meanings with and without Caps Lock. For
    /// ``CapsHandling/ignore``, it ignores the Caps Lock key.
    func handling(_ caps: CapsHandling) -> KeyTable {
        var table = self
        for key in caps == .track ? [] : keys {
            for level in KeyLevel.all {
                if caps == .inverted {
                    table[key, level] = self[key, level.symmetricDifference(.caps)]
                } else if self[key, level] == .capsLock {
                    table[key, level] = .ignored
                }
            }
        }
        return table
    }

    /// Makes Ctrl+Shift+U start Unicode entry; U is the key that types a U in this layout.
    mutating func registerUnicodeEntry() {
        for key in keys {
            for level in KeyLevel.all where level.isSuperset(of: [.shift, .control]) {
                if self[key, level] == .character("\u{15}") { self[key, level] = .unicodeEntry }
            }
        }
    }
}

extension KeyTable {
    /// The US layout: printable ASCII, line breaks, the keypad, and control characters typed with Control.
    ///
    /// - The letter, digit and symbol keys type what is printed on them; Shift selects the upper character, and Caps
    ///   Lock affects only letters.
    /// - Enter and keypad Enter type U+000D, Tab U+0009, Escape U+001B, Backspace U+0008, Delete U+007F.
    /// - Control types control characters as in X11: Ctrl+A is U+0001, Ctrl+] is U+001D.
    /// - The keypad always types digits and operators, because scanners that use it rarely send Num Lock; the Num Lock
    ///   key is ignored.
    /// - AltGr, Alt and Meta type nothing, and no other key types a character while AltGr is held.
    public static let us: KeyTable = {
        var table = KeyTable()
        for (key, lower, upper) in usMainBlock { table.register(key, lower: lower, upper: upper) }
        for (key, character) in usKeypad {
            table.register(key, character, without: [.altGr, .level5, .control])
        }
        for (key, character) in usEditingKeys {
            table.register(key, character, without: [.altGr, .level5, .control, .shift])
        }
        for (key, modifier) in usModifiers { table.register(.modifier(modifier), for: key) }
        table.register(.capsLock, for: .capslock)
        table.register(.ignored, for: .numlock)
        return table
    }()

    private mutating func register(
        _ key: KeyCode, lower: Unicode.Scalar, upper: Unicode.Scalar
    ) {
        let isLetter = lower.properties.isAlphabetic
        for level in KeyLevel.all where level.isDisjoint(with: [.altGr, .level5]) {
            let isUpper = level.contains(.shift) != (isLetter && level.contains(.caps))
            let character = isUpper ? upper : lower
            if !level.contains(.control) {
                self[key, level] = .character(character)
            } else if let control = Self.controlCharacter(of: character) {
                self[key, level] = .character(control)
            }
        }
    }

    private mutating func register(
        _ key: KeyCode, _ character: Unicode.Scalar, without excluded: KeyLevel
    ) {
        for level in KeyLevel.all where level.isDisjoint(with: excluded) {
            self[key, level] = .character(character)
        }
    }

    /// Returns the control character that Control types with the key for `character`; nil if it types none.
    ///
    /// Rule: X Keyboard Extension protocol specification, "Control Modifier Interpretation". The digits 2 to 8 and the
    /// slash follow the VT220. For other characters, X11 ignores Control and types the plain character; this function
    /// returns nil instead, so Ctrl+1 does not type a 1.
    public static func controlCharacter(of character: Unicode.Scalar) -> Unicode.Scalar? {
        switch character {
        case "@"..."~", " ": Unicode.Scalar(character.value & 0x1F)
        case "2": "\u{0}"
        case "3"..."7": Unicode.Scalar(character.value - 0x33 + 0x1B)
        case "8": "\u{7F}"
        case "/": "\u{1F}"
        default: nil
        }
    }
}

private let usMainBlock: [(KeyCode, Unicode.Scalar, Unicode.Scalar)] = [
    (.grave, "`", "~"), (.digit1, "1", "!"), (.digit2, "2", "@"), (.digit3, "3", "#"),
    (.digit4, "4", "$"), (.digit5, "5", "%"), (.digit6, "6", "^"), (.digit7, "7", "&"),
    (.digit8, "8", "*"), (.digit9, "9", "("), (.digit0, "0", ")"), (.minus, "-", "_"),
    (.equal, "=", "+"), (.q, "q", "Q"), (.w, "w", "W"), (.e, "e", "E"), (.r, "r", "R"),
    (.t, "t", "T"), (.y, "y", "Y"), (.u, "u", "U"), (.i, "i", "I"), (.o, "o", "O"),
    (.p, "p", "P"), (.leftbrace, "[", "{"), (.rightbrace, "]", "}"), (.a, "a", "A"),
    (.s, "s", "S"), (.d, "d", "D"), (.f, "f", "F"), (.g, "g", "G"), (.h, "h", "H"),
    (.j, "j", "J"), (.k, "k", "K"), (.l, "l", "L"), (.semicolon, ";", ":"),
    (.apostrophe, "'", "\""), (.backslash, "\\", "|"), (.z, "z", "Z"), (.x, "x", "X"),
    (.c, "c", "C"), (.v, "v", "V"), (.b, "b", "B"), (.n, "n", "N"), (.m, "m", "M"),
    (.comma, ",", "<"), (.dot, ".", ">"), (.slash, "/", "?"), (.space, " ", " "),
    (.iso102nd, "<", ">"),
]

private let usKeypad: [(KeyCode, Unicode.Scalar)] = [
    (.kp0, "0"), (.kp1, "1"), (.kp2, "2"), (.kp3, "3"), (.kp4, "4"), (.kp5, "5"), (.kp6, "6"),
    (.kp7, "7"), (.kp8, "8"), (.kp9, "9"), (.kpdot, "."), (.kpslash, "/"), (.kpasterisk, "*"),
    (.kpminus, "-"), (.kpplus, "+"), (.kpequal, "="), (.kpenter, "\r"), (.enter, "\r"),
]

private let usEditingKeys: [(KeyCode, Unicode.Scalar)] = [
    (.tab, "\t"), (.esc, "\u{1B}"), (.backspace, "\u{8}"), (.delete, "\u{7F}"),
    (.linefeed, "\n"),
]

private let usModifiers: [(KeyCode, ModifierKey)] = [
    (.leftshift, .leftShift), (.rightshift, .rightShift), (.leftctrl, .leftControl),
    (.rightctrl, .rightControl), (.leftalt, .alt), (.rightalt, .altGr), (.leftmeta, .meta),
    (.rightmeta, .meta),
]
