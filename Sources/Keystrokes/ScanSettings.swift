/// How a scanner types: all settings that a ``ScanAssembler`` needs.
public struct ScanSettings: Hashable, Sendable {
    /// Keys and characters that start or end a scan.
    public struct Terminators: Hashable, Sendable {
        /// Keys that start or end a scan, regardless of the modifiers held.
        public var keys: Set<KeyCode>
        /// Characters that start or end a scan, regardless of the keys that type them.
        public var characters: Set<Unicode.Scalar>

        /// Creates a set of keys and characters; by default, the set is empty.
        public init(keys: Set<KeyCode> = [], characters: Set<Unicode.Scalar> = []) {
            self.keys = keys
            self.characters = characters
        }

        /// Enter and keypad Enter.
        public static let enter = Terminators(keys: [.enter, .kpenter])

        /// No keys and no characters.
        public static let none = Terminators()

        /// Whether the set contains neither keys nor characters.
        public var isEmpty: Bool { keys.isEmpty && characters.isEmpty }

        /// Whether the set contains Enter as a key or character; if so, a CR or LF right after Enter belongs to the
        /// same terminator.
        var includesEnter: Bool {
            !keys.isDisjoint(with: [.enter, .kpenter])
                || !characters.isDisjoint(with: ["\r", "\n"])
        }
    }

    /// The keyboard layout that the scanner types in.
    public var table: KeyTable
    /// How the scanner reacts to the Caps Lock key.
    public var caps: CapsHandling
    /// Whether the scanner types characters as decimal numbers on the keypad while Alt is held (ALT mode).
    public var hasAltNumpad: Bool
    /// Whether to reject a scan if a number typed in ALT mode seems to have lost a digit.
    public var checksAltNumbers: Bool
    /// Whether the scanner types characters as hexadecimal numbers after Ctrl+Shift+U (Unicode entry).
    public var hasUnicodeEntry: Bool

    /// Keys and characters that start a scan; if empty, any key starts one.
    ///
    /// Keys before the start are rejected. Within a scan, a start key is data if there are ``terminators``; otherwise,
    /// it ends the scan and starts the next one.
    public var start: Terminators
    /// Keys and characters that end a scan; if empty, a pause or the next ``start`` ends it.
    public var terminators: Terminators
    /// The pause that must follow a terminator for it to end the scan.
    ///
    /// If a key follows sooner, the terminator is data. If the value is zero, every terminator ends the scan.
    public var terminatorPause: Duration
    /// The shortest pause between keys that makes a scan invalid or, if ``terminators`` is empty, ends it.
    public var idleTimeout: Duration
    /// How long a scanner must be quiet before a broken scan ends without a terminator.
    ///
    /// Quiet means that no key is pressed or released, and that no key is down. The time must be longer than any stall
    /// of the scanner; otherwise, the rest of a stalled scan is reported as another scan. Bluetooth scanners can stall
    /// for several seconds. If the value is below ``idleTimeout``, ``idleTimeout`` applies.
    public var recovery: Duration
    /// The time within which another scan of the same code is rejected; nil to accept repeats.
    ///
    /// Each repeat restarts the time.
    public var repeatWindow: Duration?
    /// How many characters the text of a scan may have.
    public var lengths: ClosedRange<Int>

    /// How to read typed characters: as the data itself, or as the bytes of an encoding.
    public var encoding: TypedEncoding
    /// The string that the scanner types before the data; it is removed from the text.
    public var prefix: String
    /// The string that the scanner types after the data; it is removed from the text.
    public var suffix: String
    /// Whether an AIM identifier in front of the data is removed from the text and stored in ``Scan/aim``.
    public var splitsAIMIdentifier: Bool
    /// The code identifiers to remove from the front of the text; see ``Scan/codeIdentifier``.
    public var codeIdentifiers: CodeIdentifiers
    /// The ways in which the scanner may spell out control characters, for instance as `<GS>`.
    public var controlNames: Set<ControlNames>
    /// The replacements for characters in the data, keyed by the typed character.
    public var substitutes: [Unicode.Scalar: Unicode.Scalar]

    /// Creates settings; the defaults suit a scanner with factory settings.
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
    /// How long a scanner must be quiet after a claim before its keys are accepted.
    ///
    /// ``recovery`` applies instead if it is shorter, if a scan was in progress before the claim, or once a key is
    /// pressed or released. A longer time would often reject the first scan after the program starts.
    public static let quietAfterClaim = Duration.seconds(2)

    /// The ``table`` with the changes that ``caps`` and ``hasUnicodeEntry`` require.
    var typingTable: KeyTable {
        var table = table.handling(caps)
        if hasUnicodeEntry { table.registerUnicodeEntry() }
        return table
    }

    /// The keys and characters that always end a scan, so the data of a scan cannot contain them.
    var ends: Terminators {
        if terminators.isEmpty { return start }
        return terminatorPause > .zero ? .none : terminators
    }

    /// The maximum number of characters typed for a scan, including prefix, suffix and identifiers.
    var longestTypedText: Int {
        let perCharacter = encoding.longestCharacter
        let perControl = controlNames.isEmpty ? 1 : ControlNames.longestSpelling
        let aim = splitsAIMIdentifier ? AIMPrefix.length : 0
        let around = prefix.unicodeScalars.count + suffix.unicodeScalars.count
        return lengths.upperBound.multipliedClamped(by: perCharacter * perControl)
            .addingClamped((around + aim + codeIdentifiers.longest) * perCharacter)
    }
}

/// A scanner's settings, and values that are computed from them once.
final class ScanRules: Sendable {
    /// The keys and characters that start or end a scan; they are few, so a linear search is fast.
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
    /// The keys and characters that end a scan: the terminators or, without terminators, those in ``start``.
    ///
    /// Without terminators, the key or character that ends a scan also begins the next one.
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
    /// The longest pause between two scans that may be lines of the same symbol, in microseconds.
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

    /// Whether a character is a control character that neither the settings nor typical symbols contain.
    ///
    /// Typical symbols may contain FS, GS, RS and US, which separate fields, and Tab, LF and CR. EOT ends an ISO/IEC
    /// 15434 message but counts as unexpected, because a comma (Alt+44) that has lost a digit becomes EOT (Alt+4).
    func isUnexpected(_ character: Unicode.Scalar) -> Bool {
        let isControl = character.value < 0x20 || character.value == 0x7F
        return isControl && !("\u{1C}"..."\u{1F}").contains(character)
            && !["\t", "\n", "\r"].contains(character)
            && !start.include(character) && !end.include(character)
            && !settings.substitutes.keys.contains(character)
            && !(settings.prefix + settings.suffix).unicodeScalars.contains(character)
    }
}
