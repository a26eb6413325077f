/// Settings, taken apart: what a scan needs at its end is read here one by one, where reading it out
/// of ``ScanSettings`` would copy them whole.
final class ScanRules: Sendable {
    let needsStart: Bool
    let hasTerminators: Bool
    let endIncludesEnter: Bool
    let start: ScanSettings.Terminators
    /// The characters at which a scan ends.
    let endCharacters: Set<Unicode.Scalar>
    let hasAltNumpad: Bool
    let checksAltNumbers: Bool
    let hasUnicodeEntry: Bool
    /// Control characters that the scanner is set up to type.
    private let expectedControls: Set<Unicode.Scalar>

    let encoding: TypedEncoding
    let prefix: String
    let suffix: String
    let splitsAIMIdentifier: Bool
    let codeIdentifiers: CodeIdentifiers
    let controlNames: [ControlNames]
    let substitutes: [Unicode.Scalar: Unicode.Scalar]
    let lengths: ClosedRange<Int>
    /// The longest text as typed that can become a scan.
    let longestTypedText: Int

    let idleMicroseconds: Int64
    /// How long no key may follow a terminator for it to end the scan; 0 where none need not.
    let terminatorPauseMicroseconds: Int64
    let recoveryMicroseconds: Int64
    /// How long a key may stay down before it is believed that its release was lost.
    let longestHoldMicroseconds: Int64

    /// Whether nothing but an AIM identifier can be taken off what is typed, or changed in it.
    let typeDataAlone: Bool

    init(_ settings: ScanSettings) {
        needsStart = !settings.start.isEmpty
        hasTerminators = !settings.terminators.isEmpty
        endIncludesEnter = settings.marks.includesEnter
        start = settings.start
        endCharacters = settings.marks.characters
        hasAltNumpad = settings.hasAltNumpad
        checksAltNumbers = settings.checksAltNumbers
        hasUnicodeEntry = settings.hasUnicodeEntry
        expectedControls = settings.start.characters.union(settings.terminators.characters)
            .union(settings.substitutes.keys).union(settings.prefix.unicodeScalars)
            .union(settings.suffix.unicodeScalars)
        encoding = settings.encoding
        prefix = settings.prefix
        suffix = settings.suffix
        splitsAIMIdentifier = settings.splitsAIMIdentifier
        codeIdentifiers = settings.codeIdentifiers
        controlNames = settings.controlNames.sorted { $0.rawValue < $1.rawValue }
        substitutes = settings.substitutes
        lengths = settings.lengths
        longestTypedText = settings.longestTypedText
        idleMicroseconds = settings.idleTimeout.wholeMicroseconds
        terminatorPauseMicroseconds = settings.terminatorPause.wholeMicroseconds
        recoveryMicroseconds = max(settings.recovery.wholeMicroseconds, idleMicroseconds)
        longestHoldMicroseconds = recoveryMicroseconds.multipliedClamped(by: 10)
        typeDataAlone =
            encoding == .characters && prefix.isEmpty && suffix.isEmpty && codeIdentifiers.isEmpty
            && controlNames.isEmpty && substitutes.isEmpty
    }

    /// Whether a character is a control character that neither a symbol holds nor the scanner is set
    /// up to type.
    ///
    /// Rule: symbols hold FS to US, which separate fields, and Tab, LF and CR.
    func isUnexpected(_ character: Unicode.Scalar) -> Bool {
        let isControl = character.value < 0x20 || character.value == 0x7F
        return isControl && !(0x1C...0x1F).contains(character.value)
            && !["\t", "\n", "\r"].contains(character) && !expectedControls.contains(character)
    }
}

/// What had a part in how the keys of a scan became its text.
public struct ScanFeatures: OptionSet, Hashable, Sendable {
    /// The set as bits.
    public var rawValue: UInt16

    /// The set with these bits.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Caps Lock was switched.
    public static let capsLock = ScanFeatures(rawValue: 1 << 0)
    /// A character was typed with a dead key.
    public static let deadKey = ScanFeatures(rawValue: 1 << 1)
    /// A character was typed as a number on the keypad, with Alt held.
    public static let altNumpad = ScanFeatures(rawValue: 1 << 2)
    /// A character was typed as a number after Ctrl+Shift+U.
    public static let unicodeEntry = ScanFeatures(rawValue: 1 << 3)
    /// A start was in front, and taken off.
    public static let start = ScanFeatures(rawValue: 1 << 4)
    /// A terminator stood inside the data.
    public static let innerTerminator = ScanFeatures(rawValue: 1 << 5)
    /// The characters were bytes of an encoding.
    public static let encoding = ScanFeatures(rawValue: 1 << 6)
    /// The prefix was there, and taken off.
    public static let prefix = ScanFeatures(rawValue: 1 << 7)
    /// The suffix was there, and taken off.
    public static let suffix = ScanFeatures(rawValue: 1 << 8)
    /// A maker's code identifier was in front, and split off.
    public static let codeIdentifier = ScanFeatures(rawValue: 1 << 9)
    /// A control character was spelled out.
    public static let controlName = ScanFeatures(rawValue: 1 << 10)
    /// A character stood for another.
    public static let substitute = ScanFeatures(rawValue: 1 << 11)
}
