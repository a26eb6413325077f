/// A GS1 element string: an application identifier with its value.
///
/// Two are equal where identifier and value are; where they were read does not count.
public struct GS1Element: Sendable {
    /// The application identifier.
    public let applicationIdentifier: ApplicationIdentifier
    private let start: UInt32
    private let end: UInt32
    /// The value, without the application identifier.
    public let value: String

    /// An element string.
    ///
    /// - Parameters:
    ///   - applicationIdentifier: What the value means.
    ///   - value: The value; it is not checked here.
    public init(_ applicationIdentifier: ApplicationIdentifier, _ value: String) {
        self.init(applicationIdentifier, value, source: 0..<0)
    }

    /// An element string read from some bytes of a text.
    init(_ applicationIdentifier: ApplicationIdentifier, _ value: String, source: Range<Int>) {
        self.applicationIdentifier = applicationIdentifier
        self.value = value
        start = UInt32(truncatingIfNeeded: source.lowerBound)
        end = UInt32(truncatingIfNeeded: max(source.lowerBound, source.upperBound))
    }

    /// The bytes of the text that the value was read from.
    var source: Range<Int> { Int(start)..<Int(max(start, end)) }

    /// The application identifier's 2 to 4 digits.
    public var ai: String { applicationIdentifier.text }

    /// The data title of the application identifier, for instance `BATCH/LOT`.
    public var title: String { applicationIdentifier.title }
}

extension GS1Element: Hashable {
    /// Compares identifier and value.
    ///
    /// - Parameters:
    ///   - lhs: An element string.
    ///   - rhs: Another one.
    /// - Returns: Whether both are equal.
    public static func == (lhs: GS1Element, rhs: GS1Element) -> Bool {
        lhs.applicationIdentifier == rhs.applicationIdentifier && lhs.value == rhs.value
    }

    /// Hashes identifier and value.
    ///
    /// - Parameter hasher: What to feed.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(applicationIdentifier)
        hasher.combine(value)
    }
}
