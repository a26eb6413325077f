public import EvdevInput
public import Keystrokes

/// One scanner: which device it is and how it types.
public struct ScannerConfiguration: Equatable, Sendable {
    /// The name, which becomes part of an event's source: `a`…`z`, `0`…`9`, `.`, `_` and `-`.
    public var name: String
    /// Which devices are this scanner.
    public var match: DeviceMatch
    /// The keyboard layout the scanner believes it types on.
    public var layout: String
    /// What ends a scan; empty where only a pause does (`none` in the file).
    public var terminators: [TerminatorConfiguration]
    /// The pause between two keys that ends a scan.
    public var idleTimeout: Duration
    /// How many characters a scan may have.
    public var length: ClosedRange<Int>
    /// The text that is taken off the front; empty for none.
    public var prefix: String
    /// The text that is taken off the end; empty for none.
    public var suffix: String
    /// Whether an AIM identifier in front is split off.
    public var aim: Bool
    /// What single keys mean on this scanner, in place of what the layout says.
    public var keys: [KeyCode: KeyConfiguration]

    /// Makes a scanner; what is left out has its default.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - match: Which devices are this scanner.
    ///   - layout: The keyboard layout.
    ///   - terminators: What ends a scan.
    ///   - idleTimeout: The pause that ends a scan.
    ///   - length: How many characters a scan may have.
    ///   - prefix: The text that is taken off the front.
    ///   - suffix: The text that is taken off the end.
    ///   - aim: Whether an AIM identifier is split off.
    ///   - keys: What single keys mean.
    public init(
        name: String, match: DeviceMatch = DeviceMatch(),
        layout: String = "us", terminators: [TerminatorConfiguration] = [.enter],
        idleTimeout: Duration = .milliseconds(500), length: ClosedRange<Int> = 1...4096,
        prefix: String = "", suffix: String = "", aim: Bool = true,
        keys: [KeyCode: KeyConfiguration] = [:]
    ) {
        self.name = name
        self.match = match
        self.layout = layout
        self.terminators = terminators
        self.idleTimeout = idleTimeout
        self.length = length
        self.prefix = prefix
        self.suffix = suffix
        self.aim = aim
        self.keys = keys
    }
}
