/// The meaning of a key at one ``KeyLevel``.
public enum KeyMeaning: Hashable, Sendable {
    /// The table does not know the key: a scan that contains it is rejected.
    case unknown
    /// No data, on purpose: the key is skipped.
    case ignored
    /// A character.
    case character(Unicode.Scalar)
    /// The end of a scan.
    case terminator
    /// Changes the meaning of other keys while it is held.
    case modifier(ModifierKey)
    /// Switches Caps Lock on or off.
    case capsLock
    /// Types nothing alone; with the next key it gives a character, see
    /// ``KeyTable/composed(_:with:)``.
    case dead(DeadKey)
    /// Begins a character that is typed as its number in hexadecimal digits (Ctrl+Shift+U).
    case unicodeEntry

    var character: Unicode.Scalar? {
        if case .character(let character) = self { character } else { nil }
    }
}

/// The modifiers and locks in effect, as a set: they choose one of a key's characters.
///
/// A set rather than a number, because every combination can have a character of its own.
/// ``altGr`` and ``level5`` are XKB's third and fifth level.
public struct KeyLevel: OptionSet, Hashable, Sendable {
    /// The set as bits; also the column of a ``KeyTable``.
    public var rawValue: UInt8

    /// Makes a set from its bits.
    ///
    /// - Parameter rawValue: One bit per modifier or lock; the bits from 6 on mean nothing.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Either Shift key is held.
    public static let shift = KeyLevel(rawValue: 1 << 0)
    /// Caps Lock is on.
    public static let caps = KeyLevel(rawValue: 1 << 1)
    /// AltGr is held.
    public static let altGr = KeyLevel(rawValue: 1 << 2)
    /// The key that chooses XKB's fifth level is held.
    public static let level5 = KeyLevel(rawValue: 1 << 3)
    /// Num Lock is on.
    public static let num = KeyLevel(rawValue: 1 << 4)
    /// Either Control key is held.
    public static let control = KeyLevel(rawValue: 1 << 5)

    /// The number of different sets.
    public static let count = 64

    /// Every set there is.
    public static var all: [KeyLevel] {
        (0..<UInt8(count)).map(KeyLevel.init(rawValue:))
    }
}

/// A key that types nothing alone and changes the character of the next key.
///
/// The acute accent of a French keyboard is one: it and then E give é; it and then a space give the
/// accent alone. The ``KeyTable`` of the layout says which character a dead key and the next key
/// give, see ``KeyTable/composed(_:with:)``. If a character takes several dead keys, the first two
/// give another dead key, which represents both and is on no keyboard.
public struct DeadKey: RawRepresentable, Hashable, Sendable {
    /// The number: for a key of an XKB layout its keysym (`XKB_KEY_dead_acute` is 0xFE51); for one
    /// that represents several in a row 1, 2 and so on, which have a meaning in their table only.
    public var rawValue: UInt16

    /// Makes a dead key from its number.
    ///
    /// - Parameter rawValue: A keysym, or a number that the table assigns.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }
}

/// The character, or the dead key, that a dead key and the next key give.
public struct DeadKeyPair: Hashable, Sendable {
    /// The dead key, pressed first.
    public var dead: DeadKey
    /// The meaning of the next key: a character, or a dead key.
    public var next: KeyMeaning
    /// The result of both: a character, or a dead key that waits for one more.
    public var result: KeyMeaning

    /// Makes a pair of two keys and their result.
    ///
    /// - Parameters:
    ///   - dead: The dead key, pressed first.
    ///   - next: The meaning of the next key: a character, or a dead key.
    ///   - result: The result of both: a character, or a dead key that waits for one more.
    public init(_ dead: DeadKey, _ next: KeyMeaning, gives result: KeyMeaning) {
        self.dead = dead
        self.next = next
        self.result = result
    }

    /// The place of two keys among all pairs: by dead key, then characters, then dead keys.
    static func place(_ dead: DeadKey, _ next: KeyMeaning) -> UInt64 {
        let second: UInt32 =
            switch next {
            case .character(let character): character.value
            case .dead(let other): 0x11_0000 + UInt32(other.rawValue)
            default: .max
            }
        return UInt64(dead.rawValue) << 32 | UInt64(second)
    }

    var place: UInt64 { Self.place(dead, next) }
}
