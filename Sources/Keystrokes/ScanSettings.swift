/// The way a scanner is set up to type: everything ``ScanAssembler`` needs to know of it.
public struct ScanSettings: Hashable, Sendable {
    /// Keys and characters that begin or end a scan.
    public struct Terminators: Hashable, Sendable {
        /// Keys that begin or end a scan, whatever modifiers are held.
        public var keys: Set<KeyCode>
        /// Characters that begin or end a scan, whatever key types them.
        public var characters: Set<Unicode.Scalar>

        /// Makes a set; with neither keys nor characters nothing begins or ends a scan.
        ///
        /// - Parameters:
        ///   - keys: Keys that begin or end a scan.
        ///   - characters: Characters that begin or end a scan.
        public init(keys: Set<KeyCode> = [], characters: Set<Unicode.Scalar> = []) {
            self.keys = keys
            self.characters = characters
        }

        /// Both Enter keys.
        public static let enter = Terminators(keys: [.enter, .kpenter])

        /// The empty set.
        public static let none = Terminators()

        /// Whether there is neither a key nor a character.
        public var isEmpty: Bool { keys.isEmpty && characters.isEmpty }

        /// Whether it has Enter, as key or as character: then a CR or LF after it is part of it.
        var includesEnter: Bool {
            !keys.isDisjoint(with: [.enter, .kpenter])
                || !characters.isDisjoint(with: ["\r", "\n"])
        }
    }

    /// The meaning of each key.
    public var table: KeyTable
    /// The effect of Caps Lock.
    public var caps: CapsHandling
    /// Whether characters are typed as decimal numbers on the keypad while Alt is held (ALT mode).
    public var hasAltNumpad: Bool
    /// Whether numbers in ALT mode that seem to have lost a digit reject the scan.
    public var checksAltNumbers: Bool
    /// Whether characters are typed as hexadecimal numbers after Ctrl+Shift+U.
    public var hasUnicodeEntry: Bool

    /// Keys and characters that begin a scan; if empty, any key does.
    ///
    /// Keys that come before a start are not a scan. Inside a scan a start is data; but without
    /// terminators it ends the scan before it.
    public var start: Terminators
    /// Keys and characters that end a scan; if empty, a pause of ``idleTimeout`` does.
    public var terminators: Terminators
    /// The pause after a terminator that makes it the end of the scan.
    ///
    /// A terminator is data if a key follows sooner. With zero it ends the scan at once.
    public var terminatorPause: Duration
    /// A pause between keys that does not occur inside a scan: it breaks the scan, or, without
    /// terminators, ends it.
    public var idleTimeout: Duration
    /// How long a scanner must be quiet (no key comes and none is down) until a broken scan whose
    /// terminator does not come is over.
    ///
    /// Must be longer than any stall of the scanner: the rest of a scan that comes later counts as
    /// a scan. Bluetooth scanners stall for several seconds. A value below ``idleTimeout`` counts
    /// as ``idleTimeout``.
    public var recovery: Duration
    /// The time within which the same code counts as a repeat, which is rejected; nil to keep
    /// repeats.
    ///
    /// It counts from the last time the code came, also if that was a repeat.
    public var repeatWindow: Duration?
    /// The number of characters the text of a scan may have.
    public var lengths: ClosedRange<Int>

    /// The bytes or characters that the typed characters represent.
    public var encoding: TypedEncoding
    /// A text that the scanner types before the data; removed from the scan's text.
    public var prefix: String
    /// A text that the scanner types after the data; removed from the scan's text.
    public var suffix: String
    /// Whether an AIM identifier before the data is split off.
    public var splitsAIMIdentifier: Bool
    /// The maker's own identifiers; one of them before the data is split off.
    public var codeIdentifiers: CodeIdentifiers
    /// How control characters in the data are spelled out.
    public var controlNames: Set<ControlNames>
    /// Characters in the data, each with the character it represents.
    public var substitutes: [Unicode.Scalar: Unicode.Scalar]

    /// Makes settings; the defaults are those of a scanner as it leaves the factory.
    ///
    /// - Parameters:
    ///   - table: The meaning of each key.
    ///   - caps: The effect of Caps Lock.
    ///   - hasAltNumpad: Whether characters are typed as numbers on the keypad.
    ///   - checksAltNumbers: Whether numbers that seem to have lost a digit reject the scan.
    ///   - hasUnicodeEntry: Whether characters are typed as numbers after Ctrl+Shift+U.
    ///   - start: Keys and characters that begin a scan.
    ///   - terminators: Keys and characters that end a scan.
    ///   - terminatorPause: The pause after a terminator that makes it the end of the scan.
    ///   - idleTimeout: A pause between keys that does not occur inside a scan.
    ///   - recovery: How long a scanner must be quiet until a broken scan is over.
    ///   - repeatWindow: The time within which the same code counts as a repeat, or nil.
    ///   - lengths: The number of characters the text of a scan may have.
    ///   - encoding: The bytes or characters that the typed characters represent.
    ///   - prefix: A text before the data, to be removed.
    ///   - suffix: A text after the data, to be removed.
    ///   - splitsAIMIdentifier: Whether an AIM identifier is split off.
    ///   - codeIdentifiers: The maker's own identifiers.
    ///   - controlNames: How control characters are spelled out.
    ///   - substitutes: Characters, each with the character it represents.
    public init(
        table: KeyTable = .us, caps: CapsHandling = .track, hasAltNumpad: Bool = false,
        checksAltNumbers: Bool = true, hasUnicodeEntry: Bool = false, start: Terminators = .none,
        terminators: Terminators = .enter, terminatorPause: Duration = .zero,
        idleTimeout: Duration = .milliseconds(500), recovery: Duration = .seconds(10),
        repeatWindow: Duration? = nil, lengths: ClosedRange<Int> = 1...4096,
        encoding: TypedEncoding = .characters, prefix: String = "", suffix: String = "",
        splitsAIMIdentifier: Bool = true, codeIdentifiers: CodeIdentifiers = .none,
        controlNames: Set<ControlNames> = [],
        substitutes: [Unicode.Scalar: Unicode.Scalar] = [:]
    ) {
        self.table = table
        self.caps = caps
        self.hasAltNumpad = hasAltNumpad
        self.checksAltNumbers = checksAltNumbers
        self.hasUnicodeEntry = hasUnicodeEntry
        self.start = start
        self.terminators = terminators
        self.terminatorPause = terminatorPause
        self.idleTimeout = idleTimeout
        self.recovery = recovery
        self.repeatWindow = repeatWindow
        self.lengths = lengths
        self.encoding = encoding
        self.prefix = prefix
        self.suffix = suffix
        self.splitsAIMIdentifier = splitsAIMIdentifier
        self.codeIdentifiers = codeIdentifiers
        self.controlNames = controlNames
        self.substitutes = substitutes
    }
}

extension ScanSettings {
    /// How long a scanner must be quiet after it was claimed until its keys are believed, if no key
    /// has come since; a shorter ``recovery`` is enough.
    ///
    /// A claim rarely meets a scan. Waiting for the full ``recovery`` would reject the first scan
    /// after each start of the program for nothing.
    public static let quietAfterClaim = Duration.seconds(2)

    /// The meaning of each key, before start and terminators.
    var typingTable: KeyTable {
        var table = table.handling(caps)
        if hasUnicodeEntry { table.registerUnicodeEntry() }
        return table
    }

    /// The keys and characters that a scan cannot contain, because it ends there.
    var ends: Terminators {
        if terminators.isEmpty { return start }
        return terminatorPause > .zero ? .none : terminators
    }

    /// The longest text as typed that can become a scan: the data and everything to be removed.
    var longestTypedText: Int {
        let perCharacter = encoding.longestCharacter
        let perControl = controlNames.isEmpty ? 1 : ControlNames.longestSpelling
        let aim = splitsAIMIdentifier ? AIMPrefix.length : 0
        let around = prefix.unicodeScalars.count + suffix.unicodeScalars.count
        return lengths.upperBound.multipliedClamped(by: perCharacter * perControl)
            .addingClamped((around + aim + codeIdentifiers.longest) * perCharacter)
    }
}

/// Settings, and everything that follows from them, computed once.
final class ScanRules: Sendable {
    /// The keys and characters that begin or end a scan; few, so that looking through them is fast.
    struct Marks {
        private let keys: [KeyCode]
        private let characters: [Unicode.Scalar]

        init(_ terminators: ScanSettings.Terminators) {
            keys = Array(terminators.keys)
            characters = Array(terminators.characters)
        }

        func include(_ character: Unicode.Scalar) -> Bool { characters.contains(character) }

        func include(_ key: KeyCode, _ character: Unicode.Scalar?) -> Bool {
            keys.contains(key) || character.map(include) ?? false
        }
    }

    let settings: ScanSettings
    let start: Marks
    /// The terminators; without terminators the start, because it ends the scan before it.
    let end: Marks
    let needsStart: Bool
    let hasTerminators: Bool
    let endIncludesEnter: Bool
    let controlNames: [ControlNames]
    let longestTypedText: Int

    let idleMicroseconds: Int64
    let terminatorPauseMicroseconds: Int64
    let recoveryMicroseconds: Int64
    let claimMicroseconds: Int64
    let repeatMicroseconds: Int64?
    /// The longest pause between two lines of one symbol, where each ends a scan.
    static let longestLinePause: Int64 = 20_000

    init(_ settings: ScanSettings) {
        self.settings = settings
        hasTerminators = !settings.terminators.isEmpty
        let ends = hasTerminators ? settings.terminators : settings.start
        start = Marks(settings.start)
        end = Marks(ends)
        needsStart = !settings.start.isEmpty
        endIncludesEnter = ends.includesEnter
        controlNames = settings.controlNames.sorted { $0.rawValue < $1.rawValue }
        longestTypedText = settings.longestTypedText
        idleMicroseconds = settings.idleTimeout.wholeMicroseconds
        terminatorPauseMicroseconds = settings.terminatorPause.wholeMicroseconds
        recoveryMicroseconds = max(settings.recovery.wholeMicroseconds, idleMicroseconds)
        repeatMicroseconds = settings.repeatWindow?.wholeMicroseconds
        claimMicroseconds = min(
            ScanSettings.quietAfterClaim.wholeMicroseconds, recoveryMicroseconds)
    }

    /// Whether a character is a control character that no symbol holds and that the scanner is not
    /// set up to type.
    ///
    /// Rule: symbols hold FS to US, which separate fields, and Tab, LF and CR.
    func isUnexpected(_ character: Unicode.Scalar) -> Bool {
        let isControl = character.value < 0x20 || character.value == 0x7F
        return isControl && !("\u{1C}"..."\u{1F}").contains(character)
            && !["\t", "\n", "\r"].contains(character)
            && !start.include(character) && !end.include(character)
            && !settings.substitutes.keys.contains(character)
            && !(settings.prefix + settings.suffix).unicodeScalars.contains(character)
    }
}
