/// A complete scan: the data of a code, and details of how the scanner typed it.
public struct Scan: Hashable, Sendable {
    /// The data of the code, without start, prefix, identifiers, suffix and terminator.
    public var text: String
    /// The AIM identifier, for instance `]E0`; nil if it is unknown.
    ///
    /// If the scanner sent a maker-specific ``codeIdentifier`` instead, this is the equivalent AIM identifier.
    public var aim: String?
    /// The maker-specific code identifier, for instance `P01`; nil if the scanner sent none.
    public var codeIdentifier: String?
    /// The number of key presses, including the terminator but not modifiers.
    public var keyCount: Int
    /// When the first key was pressed, in microseconds on the clock of the key events.
    public var startMicroseconds: Int64
    /// The time of the scan's last key, in microseconds on the clock of the key events.
    public var endMicroseconds: Int64
    /// Properties of the scan, such as a removed prefix or a character typed with a dead key.
    public var features: ScanFeatures

    /// Creates a scan; by default, it has no identifiers and no features.
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

/// Properties of a scan, such as a removed prefix or a character typed with a dead key.
public struct ScanFeatures: OptionSet, Hashable, Sendable {
    /// The set as bits; bits 0 to 12 are in use.
    public var rawValue: UInt16

    /// Creates a set from its bits; bits above 12 have no meaning.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Caps Lock was switched on or off.
    public static let capsLock = ScanFeatures(rawValue: 1 << 0)
    /// A character was typed with a dead key.
    public static let deadKey = ScanFeatures(rawValue: 1 << 1)
    /// A character was typed as a number on the keypad, with Alt held.
    public static let altNumpad = ScanFeatures(rawValue: 1 << 2)
    /// A character was typed as a number after Ctrl+Shift+U.
    public static let unicodeEntry = ScanFeatures(rawValue: 1 << 3)
    /// The scan began with a start key or character, which was removed.
    public static let start = ScanFeatures(rawValue: 1 << 4)
    /// The data contains a terminator that did not end the scan.
    public static let innerTerminator = ScanFeatures(rawValue: 1 << 5)
    /// The scan's text was decoded from bytes, typed or sent by the scanner, in an encoding such as UTF-8.
    public static let encoding = ScanFeatures(rawValue: 1 << 6)
    /// The prefix was present and was removed.
    public static let prefix = ScanFeatures(rawValue: 1 << 7)
    /// The suffix was present and was removed.
    public static let suffix = ScanFeatures(rawValue: 1 << 8)
    /// A maker-specific code identifier preceded the data and was removed.
    public static let codeIdentifier = ScanFeatures(rawValue: 1 << 9)
    /// A control character was spelled out, for instance as `<GS>`.
    public static let controlName = ScanFeatures(rawValue: 1 << 10)
    /// A character was replaced; see ``ScanSettings/substitutes``.
    public static let substitute = ScanFeatures(rawValue: 1 << 11)
    /// The scan followed the last one without a pause of more than 20 ms; it may be another line of the same symbol.
    public static let rapidLine = ScanFeatures(rawValue: 1 << 12)
}

/// Keys that did not form a valid scan.
public struct Rejection: Hashable, Sendable {
    /// Why keys did not form a valid scan.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Keys were lost: the kernel's buffer overflowed, the scanner was disconnected, or an event contradicts
        /// the previous ones.
        case torn
        /// A pause interrupted the scan, or its terminator never arrived.
        case idle
        case tooLong = "too-long"
        case tooShort = "too-short"
        /// A key types no known character, or a character that takes several keys was cut off.
        case unmappedKey = "unmapped-key"
        /// The scanner may have been typing when it was claimed for exclusive use.
        case startedBeforeGrab = "started-before-grab"
        /// The scan lacks the configured start key or character.
        case noStart = "no-start"
        /// The typed bytes are not valid in the scanner's encoding.
        case wrongEncoding = "wrong-encoding"
        /// A number typed in ALT mode seems to have lost a digit.
        case altNumberSuspect = "alt-number-suspect"
        /// The same code was scanned again within ``ScanSettings/repeatWindow``.
        case repeated
    }

    /// Why the keys did not form a valid scan.
    public var reason: Reason
    /// The characters typed before the scan broke, including any prefix and identifiers.
    public var text: String
    /// The number of characters typed before the scan broke.
    public var position: Int
    /// A key that caused the rejection; nil unless ``reason`` is `unmappedKey`.
    public var key: UnmappedKey?
    /// The number of key presses, both before and after the scan broke, not counting modifiers.
    public var keyCount: Int
    /// When the first key was pressed or, if earlier, the scan broke, in microseconds on the key events' clock.
    public var startMicroseconds: Int64
    /// When the last key was pressed, in microseconds on the clock of the key events.
    public var endMicroseconds: Int64

    /// Creates a rejection; pass `key` only if the reason is ``Reason/unmappedKey``.
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

/// A key that types no known character, and the modifiers held with it.
public struct UnmappedKey: Hashable, Sendable, CustomStringConvertible {
    /// The pressed key; if a sequence of keys, such as Alt and a number, typed no character, one of its keys.
    public var key: KeyCode
    /// The modifiers that were held when the key was pressed.
    public var modifiers: [ModifierKey]
    /// Why an Alt+number sequence with this key typed no character; nil for other keys and for unfinished sequences.
    public var altNumber: AltNumber?

    /// Why an Alt+number sequence typed no character.
    public enum AltNumber: Hashable, Sendable {
        /// The scanner is not configured to type in ALT mode.
        case unexpected
        /// The typed number stands for no character; the value is its digits, at most eight.
        case noCharacter(String)
    }

    /// Creates an unmapped key; by default, no modifiers are held.
    public init(key: KeyCode, modifiers: [ModifierKey] = [], altNumber: AltNumber? = nil) {
        self.key = key
        self.modifiers = modifiers
        self.altNumber = altNumber
    }

    /// The modifiers and the key, such as `Alt+KEY_KP6`, or Alt and a typed number (`Alt+20013`).
    public var description: String {
        if case .noCharacter(let digits) = altNumber { return "Alt+" + digits }
        return (modifiers.map(\.name) + [key.name]).joined(separator: "+")
    }
}
