/// How a scanner is set up to type: what ``ScanAssembler`` needs to know of it.
public struct ScanSettings: Hashable, Sendable {
    /// Keys and characters that begin or end a scan.
    public struct Terminators: Hashable, Sendable {
        /// Keys that do, whatever modifiers are held.
        public var keys: Set<KeyCode>
        /// Characters that do, whatever key types them.
        public var characters: Set<Unicode.Scalar>

        /// Makes a set; with neither keys nor characters there is none.
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

        /// None.
        public static let none = Terminators()

        /// Whether there is none.
        public var isEmpty: Bool { keys.isEmpty && characters.isEmpty }

        /// Whether Enter is among them, as a key or as its character, which makes a CR or LF after
        /// it part of it.
        var includesEnter: Bool {
            !keys.isDisjoint(with: [.enter, .kpenter])
                || !characters.isDisjoint(with: ["\r", "\n"])
        }
    }

    /// What each key means.
    public var table: KeyTable
    /// What the Caps Lock of the scanner does.
    public var caps: CapsHandling
    /// Whether characters are typed as decimal numbers on the keypad while Alt is held (ALT mode).
    public var hasAltNumpad: Bool
    /// Whether numbers in ALT mode that seem to have lost a digit reject the scan.
    public var checksAltNumbers: Bool
    /// Whether characters are typed as hexadecimal numbers after Ctrl+Shift+U.
    public var hasUnicodeEntry: Bool

    /// What begins a scan; with none, any key does.
    ///
    /// Keys that come before it are no scan. Inside a scan it is data, unless there are no
    /// terminators: then it ends the scan before it.
    public var start: Terminators
    /// What ends a scan; with none, the idle time does.
    public var terminators: Terminators
    /// How long no key may follow a terminator for it to end the scan; before that it is data.
    public var terminatorPause: Duration
    /// The pause between keys that a scan does not have: without terminators it ends the scan, with
    /// them it breaks it.
    public var idleTimeout: Duration
    /// How long no key may come, and none be down, for a broken scan to be over where its terminator
    /// does not come; at least ``idleTimeout``.
    public var recovery: Duration
    /// How many characters the text of a scan may have.
    public var lengths: ClosedRange<Int>

    /// What the characters typed stand for.
    public var encoding: TypedEncoding
    /// Typed by the scanner ahead of the data, and taken off.
    public var prefix: String
    /// Typed by the scanner after the data, and taken off.
    public var suffix: String
    /// Whether an AIM identifier in front of the data is split off.
    public var splitsAIMIdentifier: Bool
    /// The maker's own identifiers, one of which in front of the data is split off.
    public var codeIdentifiers: CodeIdentifiers
    /// How control characters in the data are spelled out.
    public var controlNames: Set<ControlNames>
    /// Characters in the data that stand for others.
    public var substitutes: [Unicode.Scalar: Unicode.Scalar]

    /// Makes settings; the defaults are those of a scanner as it leaves the factory.
    ///
    /// - Parameters:
    ///   - table: What each key means.
    ///   - caps: What the Caps Lock of the scanner does.
    ///   - hasAltNumpad: Whether characters are typed as numbers on the keypad.
    ///   - checksAltNumbers: Whether numbers that seem to have lost a digit reject the scan.
    ///   - hasUnicodeEntry: Whether characters are typed as numbers after Ctrl+Shift+U.
    ///   - start: What begins a scan.
    ///   - terminators: What ends a scan.
    ///   - terminatorPause: How long no key may follow a terminator for it to end the scan.
    ///   - idleTimeout: The pause between keys that a scan does not have.
    ///   - recovery: How long a scanner is quiet for a broken scan to be over.
    ///   - lengths: How many characters the text of a scan may have.
    ///   - encoding: What the characters typed stand for.
    ///   - prefix: Typed ahead of the data, and taken off.
    ///   - suffix: Typed after the data, and taken off.
    ///   - splitsAIMIdentifier: Whether an AIM identifier is split off.
    ///   - codeIdentifiers: The maker's own identifiers.
    ///   - controlNames: How control characters are spelled out.
    ///   - substitutes: Characters that stand for others.
    public init(
        table: KeyTable = .us, caps: CapsHandling = .track, hasAltNumpad: Bool = false,
        checksAltNumbers: Bool = true, hasUnicodeEntry: Bool = false, start: Terminators = .none,
        terminators: Terminators = .enter, terminatorPause: Duration = .zero,
        idleTimeout: Duration = .milliseconds(500), recovery: Duration = .seconds(2),
        lengths: ClosedRange<Int> = 1...4096,
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
