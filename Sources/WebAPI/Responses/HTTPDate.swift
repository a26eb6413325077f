/// A point in time as HTTP writes it, to the second.
///
/// Rule: RFC 9110, section 5.6.7.
public struct HTTPDate: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    public let secondsSince1970: Int64

    /// Makes a date.
    ///
    /// - Parameter secondsSince1970: Seconds since 1970-01-01T00:00:00Z.
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Says which is earlier.
    public static func < (left: HTTPDate, right: HTTPDate) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }

    /// How long it is from another date to this one; negative where this one is earlier.
    ///
    /// - Parameter other: The other date.
    /// - Returns: The time between.
    public func since(_ other: HTTPDate) -> Duration {
        .seconds(secondsSince1970 - other.secondsSince1970)
    }
}
