/// How a scanner is set up to type: what ``ScanAssembler`` needs to know of it.
public struct ScanSettings: Hashable, Sendable {
    /// What ends a scan.
    public struct Terminators: Hashable, Sendable {
        /// Keys that end a scan, whatever modifiers are held.
        public var keys: Set<KeyCode>
        /// Characters that end a scan, whatever key types them.
        public var characters: Set<Unicode.Scalar>

        /// Makes a set of terminators; with neither keys nor characters, only idle time ends a scan.
        ///
        /// - Parameters:
        ///   - keys: Keys that end a scan.
        ///   - characters: Characters that end a scan.
        public init(keys: Set<KeyCode> = [], characters: Set<Unicode.Scalar> = []) {
            self.keys = keys
            self.characters = characters
        }

        /// Both Enter keys.
        public static let enter = Terminators(keys: [.enter, .kpenter])

        /// None: idle time alone completes a scan.
        public static let none = Terminators()

        /// Whether there is none.
        public var isEmpty: Bool { keys.isEmpty && characters.isEmpty }

        /// Whether an Enter key is among them, which makes a CR or LF after it part of it.
        var includesEnter: Bool { keys.contains(.enter) || keys.contains(.kpenter) }
    }

    /// What each key means.
    public var table: KeyTable
    /// What ends a scan.
    public var terminators: Terminators
    /// The pause between keys after which a scan has ended, with or without its terminator.
    public var idleTimeout: Duration
    /// How many characters the text of a scan may have.
    public var lengths: ClosedRange<Int>
    /// Typed by the scanner ahead of the data, and taken off.
    public var prefix: String
    /// Typed by the scanner after the data, and taken off.
    public var suffix: String
    /// Whether an AIM identifier in front of the data is split off.
    public var splitsAIMIdentifier: Bool

    /// Makes settings; the defaults are those of a scanner as it leaves the factory.
    ///
    /// - Parameters:
    ///   - table: What each key means.
    ///   - terminators: What ends a scan.
    ///   - idleTimeout: The pause between keys after which a scan has ended.
    ///   - lengths: How many characters the text of a scan may have.
    ///   - prefix: Typed ahead of the data, and taken off.
    ///   - suffix: Typed after the data, and taken off.
    ///   - splitsAIMIdentifier: Whether an AIM identifier is split off.
    public init(
        table: KeyTable = .us, terminators: Terminators = .enter,
        idleTimeout: Duration = .milliseconds(500), lengths: ClosedRange<Int> = 1...4096,
        prefix: String = "", suffix: String = "", splitsAIMIdentifier: Bool = true
    ) {
        self.table = table
        self.terminators = terminators
        self.idleTimeout = idleTimeout
        self.lengths = lengths
        self.prefix = prefix
        self.suffix = suffix
        self.splitsAIMIdentifier = splitsAIMIdentifier
    }
}

extension ScanSettings {
    /// The table with the terminators written into it, so that a key press is still one look.
    var tableWithTerminators: KeyTable {
        var table = table
        for key in terminators.keys { table.register(.terminator, for: key) }
        for character in terminators.characters { table.replace(character, by: .terminator) }
        return table
    }

    /// The longest text as typed that can still become a scan: the data and all that is taken off.
    var longestTypedText: Int {
        let around = prefix.unicodeScalars.count + suffix.unicodeScalars.count
        let aim = splitsAIMIdentifier ? AIMPrefix.length : 0
        return lengths.upperBound.addingReportingOverflow(around + aim).partialValue
    }
}
