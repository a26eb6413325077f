/// Settings, taken apart: what a scan needs at its end is read here one by one, where reading it out
/// of ``ScanSettings`` would copy them whole.
final class ScanRules: Sendable {
    let settings: ScanSettings

    let needsStart: Bool
    let hasTerminators: Bool
    let endIncludesEnter: Bool
    let start: ScanSettings.Terminators
    /// Whether a character that takes several keys may be what begins a scan.
    let opensWithEntry: Bool
    /// The characters at which a scan ends.
    let endCharacters: Set<Unicode.Scalar>
    let hasAltNumpad: Bool
    let hasUnicodeEntry: Bool

    let encoding: TypedEncoding
    let prefix: String
    let suffix: String
    let splitsAIMIdentifier: Bool
    let codeIdentifiers: CodeIdentifiers
    let controlNames: [ControlNames]
    let substitutes: [Unicode.Scalar: Unicode.Scalar]
    let lengths: ClosedRange<Int>

    /// Whether nothing but an AIM identifier can be taken off what is typed, or changed in it.
    let typeDataAlone: Bool

    init(_ settings: ScanSettings) {
        self.settings = settings
        needsStart = !settings.start.isEmpty
        hasTerminators = !settings.terminators.isEmpty
        endIncludesEnter = settings.terminators.includesEnter
        opensWithEntry = !settings.start.characters.isEmpty
        start = settings.start
        endCharacters = settings.marks.characters
        hasAltNumpad = settings.hasAltNumpad
        hasUnicodeEntry = settings.hasUnicodeEntry
        encoding = settings.encoding
        prefix = settings.prefix
        suffix = settings.suffix
        splitsAIMIdentifier = settings.splitsAIMIdentifier
        codeIdentifiers = settings.codeIdentifiers
        controlNames = settings.controlNames.sorted { $0.rawValue < $1.rawValue }
        substitutes = settings.substitutes
        lengths = settings.lengths
        typeDataAlone =
            encoding == .characters && prefix.isEmpty && suffix.isEmpty && codeIdentifiers.isEmpty
            && controlNames.isEmpty && substitutes.isEmpty
    }
}
