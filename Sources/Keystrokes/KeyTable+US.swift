extension KeyTable {
    /// The US layout: all of printable ASCII, the newlines, the keypad, and Control for the rest.
    ///
    /// - The main block as engraved; Shift gives the upper character, Caps Lock turns letters only.
    /// - Enter and keypad Enter are U+000D, Tab U+0009, Escape U+001B, Backspace U+0008,
    ///   Delete U+007F.
    /// - Control gives control characters as X11 does: Ctrl+A is U+0001, Ctrl+] is U+001D.
    /// - The keypad types digits and operators whatever Num Lock says, because scanners that use it
    ///   rarely send Num Lock; Num Lock itself is no data.
    /// - AltGr, Alt and Meta type nothing.
    public static let us: KeyTable = {
        var table = KeyTable()
        for (key, lower, upper) in usMainBlock { table.register(key, lower: lower, upper: upper) }
        for (key, character) in usKeypad { table.registerKeypad(key, character) }
        for (key, character) in usEditingKeys { table.registerEditing(key, character) }
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

    private mutating func registerKeypad(_ key: KeyCode, _ character: Unicode.Scalar) {
        let without: KeyLevel = [.altGr, .level5, .control]
        for level in KeyLevel.all where level.isDisjoint(with: without) {
            self[key, level] = .character(character)
        }
    }

    private mutating func registerEditing(_ key: KeyCode, _ character: Unicode.Scalar) {
        let without: KeyLevel = [.altGr, .level5, .control, .shift]
        for level in KeyLevel.all where level.isDisjoint(with: without) {
            self[key, level] = .character(character)
        }
    }

    /// The control character that Control and the key of `character` give, or nil.
    ///
    /// Rule: the X Keyboard Extension's protocol specification, "Control Modifier
    /// Interpretation"; also the digits 2–8 and the slash as on a VT220. Where that rule leaves
    /// the character as it is, there is no result here: Ctrl+1 is not taken for a 1.
    ///
    /// - Parameter character: What the key types without Control.
    /// - Returns: A control character or U+007F.
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
