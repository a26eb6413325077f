/// How a scanner types: all settings that a ``ScanAssembler`` needs.
public struct ScanSettings: Hashable, Sendable {
    /// Keys and characters that start or end a scan.
    public struct Terminators: Hashable, Sendable {
        /// Keys that start or end a scan, whatever modifiers are held.
        public var keys: Set<KeyCode>
        /// Characters that start or end a scan, whatever keys type them.
        public var characters: Set<Unicode.Scalar>

        /// Makes a set of keys and characters that start or end a scan.
        public init(keys: Set<KeyCode> = [], characters: Set<Unicode.Scalar> = []) {
            self.keys = keys
            self.characters = characters
        }

        /// Both Enter keys.
        public static let enter = Terminators(keys: [.enter, .kpenter])

        /// The empty set.
        public static let none = Terminators()

        /// Whether the set contains neither keys nor characters.
        public var isEmpty: Bool { keys.isEmpty && characters.isEmpty }

        /// Whether the set contains Enter as a key or character; if so, a CR or LF right after Enter is part of the
        /// same terminator.
        var includesEnter: Bool {
            !keys.isDisjoint(with: [.enter, .kpenter])
                || !characters.isDisjoint(with: ["\r", "\n"])
        }
    }

    /// The meaning of each key.
    public var table: KeyTable
    /// How the scanner reacts to the Caps Lock key.
    public var caps: CapsHandling
    /// Whether characters are typed as decimal numbers on the keypad while Alt is held (ALT mode).
    public var hasAltNumpad: Bool
    /// Whether to reject a scan in which a number in ALT mode seems to have lost a digit.
    public var checksAltNumbers: Bool
    /// Whether characters are typed as hexadecimal numbers after Ctrl+Shift+U.
    public var hasUnicodeEntry: Bool

    /// Keys and characters that start a scan; if empty, any key does.
    ///
    /// Keys before the start are rejected. Inside a scan, a start is data. If there are no ``terminators``, it
    /// instead ends that scan and starts the next.
    public var start: Terminators
    /// Keys and characters that end a scan; if empty, a pause of ``idleTimeout`` does.
    public var terminators: Terminators
    /// How long the pause after a terminator must be for the terminator to end the scan.
    ///
    /// If a key follows sooner, the terminator is data. If the value is zero, every terminator ends the scan.
    public var terminatorPause: Duration
    /// The shortest pause between keys that breaks a scan or, without terminators, ends it.
    public var idleTimeout: Duration
    /// How long a scanner must be quiet to end a broken scan whose terminator does not come.
    ///
    /// Quiet means that no key comes and none is down. The time must be longer than any stall of the scanner, or the
    /// rest of a stalled scan is reported as another scan. Bluetooth scanners can stall for several seconds. If the
    /// value is below ``idleTimeout``, ``idleTimeout`` applies.
    public var recovery: Duration
    /// The time within which the same code is rejected as a repeat; nil to accept repeats.
    ///
    /// Each repeat restarts the window.
    public var repeatWindow: Duration?
    /// The allowed number of characters in the text of a scan.
    public var lengths: ClosedRange<Int>

    /// The meaning of typed characters: the characters of the data, or the bytes of an encoding.
    public var encoding: TypedEncoding
    /// The string that the scanner types before the data; it is removed.
    public var prefix: String
    /// The string that the scanner types after the data; it is removed.
    public var suffix: String
    /// Whether to split off an AIM identifier that precedes the data.
    public var splitsAIMIdentifier: Bool
    /// The maker's code identifiers; one that precedes the data is split off.
    public var codeIdentifiers: CodeIdentifiers
    /// The notations for control characters that the scanner may use in the data, such as `<GS>`.
    public var controlNames: Set<ControlNames>
    /// The characters to replace in the data, each with the character that it represents.
    public var substitutes: [Unicode.Scalar: Unicode.Scalar]

    /// Makes settings; the defaults suit a scanner with factory settings.
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
    /// How long a scanner must be quiet after a claim before its keys are trusted, if no key has come since the
    /// claim.
    ///
    /// If ``recovery`` is shorter, it applies instead. A claim rarely happens during a scan, so a longer wait would
    /// often needlessly reject the first scan after the program starts.
    public static let quietAfterClaim = Duration.seconds(2)

    /// The ``table``, changed as ``caps`` and ``hasUnicodeEntry`` require.
    var typingTable: KeyTable {
        var table = table.handling(caps)
        if hasUnicodeEntry { table.registerUnicodeEntry() }
        return table
    }

    /// The keys and characters that a scan cannot contain because they end it.
    var ends: Terminators {
        if terminators.isEmpty { return start }
        return terminatorPause > .zero ? .none : terminators
    }

    /// The length, in characters, of the longest text that can become a scan, with prefix, suffix and identifiers.
    var longestTypedText: Int {
        let perCharacter = encoding.longestCharacter
        let perControl = controlNames.isEmpty ? 1 : ControlNames.longestSpelling
        let aim = splitsAIMIdentifier ? AIMPrefix.length : 0
        let around = prefix.unicodeScalars.count + suffix.unicodeScalars.count
        return lengths.upperBound.multipliedClamped(by: perCharacter * perControl)
            .addingClamped((around + aim + codeIdentifiers.longest) * perCharacter)
    }
}

/// The settings, and values derived from them.
final class ScanRules: Sendable {
    /// The keys and characters that start or end a scan; there are only a few, so a linear search is fast.
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
    /// The marks that end a scan: the terminators, or the start marks of a scanner without terminators.
    ///
    /// A start mark that ends a scan also begins the next one.
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
    /// The longest pause, in microseconds, between two scans that may be lines of the same symbol.
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

    /// Whether a character is a control character that no setting mentions and that symbols do not contain.
    ///
    /// Symbols contain FS to US, which separate fields, and Tab, LF and CR. The EOT at the end of an ISO/IEC 15434
    /// message counts as unexpected, because a comma (Alt+44) that has lost a digit looks the same.
    func isUnexpected(_ character: Unicode.Scalar) -> Bool {
        let isControl = character.value < 0x20 || character.value == 0x7F
        return isControl && !("\u{1C}"..."\u{1F}").contains(character)
            && !["\t", "\n", "\r"].contains(character)
            && !start.include(character) && !end.include(character)
            && !settings.substitutes.keys.contains(character)
            && !(settings.prefix + settings.suffix).unicodeScalars.contains(character)
    }
}
