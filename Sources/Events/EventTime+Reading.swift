import WireText

/// A text that is no time.
public struct EventTimeError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text as it came.
    public let text: String

    /// One sentence, with the text escaped.
    public var description: String {
        "\(text.quoted()) is no time: expected a form like "
            + "2026-11-21T08:00:00Z or 2026-11-21T09:00:00.123456+01:00, in the years 0000 to 9999"
    }
}

extension EventTime {
    /// Reads a time as RFC 3339 has it.
    ///
    /// Any offset and any number of digits after the second are read; those beyond the microsecond
    /// are cut off. A sixtieth second is refused, for there is no such microsecond since 1970.
    ///
    /// - Parameter text: For example `2026-11-21T08:00:00Z`.
    /// - Throws: ``EventTimeError``, where it is none, the day does not exist, or the year in UTC
    ///   is not in 0000…9999.
    ///
    /// Rule: RFC 3339, section 5.6.
    public init(rfc3339 text: String) throws(EventTimeError) {
        guard let microseconds = RFC3339.microseconds(text) else {
            throw EventTimeError(text: text)
        }
        self.init(microsecondsSince1970: microseconds)
        guard microsecondsSince1970 == microseconds else { throw EventTimeError(text: text) }
    }
}
