/// One reading of a scanner, from the first key to the terminator.
public struct Scan: Hashable, Sendable {
    /// The characters typed, after prefix, suffix, terminator and AIM identifier are taken off.
    public var text: String
    /// The AIM identifier that was in front, for instance `]E0`, or that the maker's own stands
    /// for; nil where there was none.
    public var aim: String?
    /// The maker's own code identifier that was in front; nil where there was none.
    public var codeIdentifier: String?
    /// How many keys were pressed, the terminator included, modifiers not.
    public var keyCount: Int
    /// When the first key was pressed, in microseconds.
    public var startMicroseconds: Int64
    /// When the last key was pressed, in microseconds.
    public var endMicroseconds: Int64
    /// What had a part in how the keys became the text.
    public var features: ScanFeatures

    /// Makes a scan.
    ///
    /// - Parameters:
    ///   - text: The characters typed.
    ///   - aim: The AIM identifier, or nil.
    ///   - codeIdentifier: The maker's own code identifier, or nil.
    ///   - keyCount: How many keys were pressed.
    ///   - startMicroseconds: When the first key was pressed.
    ///   - endMicroseconds: When the last key was pressed.
    ///   - features: What had a part in how the keys became the text.
    public init(
        text: String, aim: String? = nil, codeIdentifier: String? = nil, keyCount: Int,
        startMicroseconds: Int64, endMicroseconds: Int64, features: ScanFeatures = []
    ) {
        self.text = text
        self.aim = aim
        self.codeIdentifier = codeIdentifier
        self.features = features
        self.keyCount = keyCount
        self.startMicroseconds = startMicroseconds
        self.endMicroseconds = endMicroseconds
    }
}

/// Keys that came and are no scan, with what was read and where it broke.
public struct Rejection: Hashable, Sendable {
    /// Why keys were not taken for a scan.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Keys were lost: the kernel's buffer overflowed, or the scanner went away.
        case torn
        /// The terminator did not come.
        case idle
        /// More characters than allowed.
        case tooLong = "too-long"
        /// Fewer characters than allowed.
        case tooShort = "too-short"
        /// A key the table does not know, or a character of several keys that was cut off.
        case unmappedKey = "unmapped-key"
        /// The scanner was already typing when it was grabbed.
        case startedBeforeGrab = "started-before-grab"
        /// The keys did not begin with what begins a scan.
        case noStart = "no-start"
        /// The characters are bytes that are no text in the scanner's encoding.
        case wrongEncoding = "wrong-encoding"
        /// A number in ALT mode that seems to have lost a digit.
        case altNumberSuspect = "alt-number-suspect"
    }

    /// Why.
    public var reason: Reason
    /// The characters typed before it broke, as typed: nothing is taken off.
    public var text: String
    /// Where it broke: the number of characters before that point.
    public var position: Int
    /// The key the table does not know, or one of the character that was cut off, with the modifiers
    /// held, for ``Reason/unmappedKey``.
    public var key: UnmappedKey?
    /// How many keys were pressed, before and after it broke, modifiers not counted.
    public var keyCount: Int
    /// When the first key was pressed, in microseconds.
    public var startMicroseconds: Int64
    /// When the last key was pressed, in microseconds.
    public var endMicroseconds: Int64

    /// Makes a rejection.
    ///
    /// - Parameters:
    ///   - reason: Why.
    ///   - text: The characters typed before it broke.
    ///   - position: Where it broke.
    ///   - key: The key the table does not know.
    ///   - keyCount: How many keys were pressed.
    ///   - startMicroseconds: When the first key was pressed.
    ///   - endMicroseconds: When the last key was pressed.
    public init(
        reason: Reason, text: String, position: Int, key: UnmappedKey? = nil, keyCount: Int,
        startMicroseconds: Int64, endMicroseconds: Int64
    ) {
        self.reason = reason
        self.text = text
        self.position = position
        self.key = key
        self.keyCount = keyCount
        self.startMicroseconds = startMicroseconds
        self.endMicroseconds = endMicroseconds
    }
}

/// A key that types nothing the table knows, and the modifiers held with it.
public struct UnmappedKey: Hashable, Sendable, CustomStringConvertible {
    /// The key.
    public var key: KeyCode
    /// The modifiers held when it was pressed.
    public var modifiers: [ModifierKey]

    /// Makes an unmapped key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - modifiers: The modifiers held when it was pressed.
    public init(key: KeyCode, modifiers: [ModifierKey] = []) {
        self.key = key
        self.modifiers = modifiers
    }

    /// The modifiers and the kernel's name of the key, for instance `Alt+KEY_KP6`.
    public var description: String {
        (modifiers.map(\.name) + [key.name]).joined(separator: "+")
    }
}
