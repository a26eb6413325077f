/// The effect of a key at one ``KeyLevel``, for instance typing a character.
public enum KeyMeaning: Hashable, Sendable {
    /// The layout defines no meaning for the key; a scan that contains the key is rejected.
    case unknown
    /// The key is ignored; unlike a key that is ``unknown``, it does not make the scan invalid.
    case ignored
    case character(Unicode.Scalar)
    case terminator
    /// The key changes the meaning of other keys while it is held.
    case modifier(ModifierKey)
    case capsLock
    /// The key types nothing alone, but combines with the next key; see ``KeyTable/composed(_:with:)``.
    case dead(DeadKey)
    /// The keystroke Ctrl+Shift+U, after which the scanner types a character as a hexadecimal number.
    case unicodeEntry

    var character: Unicode.Scalar? {
        if case .character(let character) = self { character } else { nil }
    }
}

/// A combination of modifiers and locks; together with the key, it determines what is typed.
///
/// ``altGr`` selects XKB's third level, and ``level5`` its fifth.
public struct KeyLevel: OptionSet, Hashable, Sendable {
    /// The set as bits, one for each modifier or lock.
    public var rawValue: UInt8

    /// Creates a set from its bits; a ``KeyTable`` ignores bits 6 and 7.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Either Shift key is held.
    public static let shift = KeyLevel(rawValue: 1 << 0)
    /// Caps Lock is on.
    public static let caps = KeyLevel(rawValue: 1 << 1)
    /// AltGr is held.
    public static let altGr = KeyLevel(rawValue: 1 << 2)
    /// The key that selects XKB's fifth level is held.
    public static let level5 = KeyLevel(rawValue: 1 << 3)
    /// Num Lock is on.
    public static let num = KeyLevel(rawValue: 1 << 4)
    /// Either Control key is held.
    public static let control = KeyLevel(rawValue: 1 << 5)

    /// The number of combinations of modifiers and locks.
    public static let count = 64

    /// All combinations of modifiers and locks, ordered by ``rawValue``.
    public static var all: [KeyLevel] {
        (0..<UInt8(count)).map(KeyLevel.init(rawValue:))
    }
}

/// A key that types nothing alone but changes the character of the next key.
///
/// On a French keyboard, the circumflex is a dead key: followed by E it types ê, and followed by a space it types the
/// circumflex alone. The layout's ``KeyTable`` defines these results; see ``KeyTable/composed(_:with:)``. If a
/// character takes two dead keys, the table combines them into a third one, which is not on the keyboard.
public struct DeadKey: RawRepresentable, Hashable, Sendable {
    /// The keysym, for instance 0xFE51 (`XKB_KEY_dead_acute`), or the number of a combination of dead keys.
    ///
    /// Each ``KeyTable`` numbers its combinations from 1.
    public var rawValue: UInt16

    /// Creates a dead key from a keysym or, for a combination of dead keys, from its number in the ``KeyTable``.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }
}

/// A dead key, the next key, and their result: a character or another dead key.
public struct DeadKeyPair: Hashable, Sendable {
    /// The dead key, which is pressed first.
    public var dead: DeadKey
    /// The meaning of the next key: a character, or a dead key.
    public var next: KeyMeaning
    /// The result: a character, or a dead key that waits for another key.
    public var result: KeyMeaning

    /// Creates a pair from a dead key, the meaning of the next key, and their result.
    public init(_ dead: DeadKey, _ next: KeyMeaning, gives result: KeyMeaning) {
        self.dead = dead
        self.next = next
        self.result = result
    }

    /// Returns a sort key that orders pairs by dead key, then by next key; characters precede dead keys.
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
