import WireText

/// A point in time, in microseconds, within the years 0000 to 9999.
///
/// RFC 3339 knows no other years; what lies outside becomes the first or the last microsecond.
/// Leap seconds are not counted, as in POSIX.
package struct EventTime: Equatable, Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z; negative before.
    package let microsecondsSince1970: Int64

    /// The first point in time: `0000-01-01T00:00:00.000000Z`.
    package static let first = EventTime(microsecondsSince1970: .min)

    /// The last point in time: `9999-12-31T23:59:59.999999Z`.
    package static let last = EventTime(microsecondsSince1970: .max)

    /// Makes a time, kept within ``first`` and ``last``.
    ///
    /// - Parameter microsecondsSince1970: Microseconds since 1970-01-01T00:00:00Z.
    package init(microsecondsSince1970: Int64) {
        self.microsecondsSince1970 =
            min(max(microsecondsSince1970, -62_167_219_200_000_000), 253_402_300_799_999_999)
    }

    /// Gives the time a while later, kept within ``first`` and ``last``.
    ///
    /// - Parameter microseconds: How much later; negative for earlier.
    /// - Returns: The time.
    package func advanced(byMicroseconds microseconds: Int64) -> EventTime {
        let (sum, overflow) = microsecondsSince1970.addingReportingOverflow(microseconds)
        guard overflow else { return EventTime(microsecondsSince1970: sum) }
        return microseconds < 0 ? .first : .last
    }

    /// The year in UTC.
    package var year: Int {
        let (days, _) = microsecondsSince1970.flooredDivision(by: Self.perDay)
        return Int(CivilDate(daysSince1970: days).year)
    }

    /// Says which of two times comes first.
    package static func < (left: EventTime, right: EventTime) -> Bool {
        left.microsecondsSince1970 < right.microsecondsSince1970
    }

    /// Appends the time as RFC 3339 has it, in UTC with six digits: `2026-11-21T08:00:00.123456Z`.
    ///
    /// - Parameter output: Where the 27 bytes go.
    package func append(to output: inout [UInt8]) {
        let (days, ofDay) = microsecondsSince1970.flooredDivision(by: Self.perDay)
        let date = CivilDate(daysSince1970: days)
        let seconds = UInt64(ofDay) / 1_000_000
        let start = output.count
        output.append("0000-00-00T00:00:00.000000Z")
        output.withUnsafeMutableBufferPointer { buffer in
            let text = UnsafeMutableBufferPointer(rebasing: buffer[start...])
            Self.put(UInt64(date.year), into: text, 0..<4)
            Self.put(UInt64(date.month), into: text, 5..<7)
            Self.put(UInt64(date.day), into: text, 8..<10)
            Self.put(seconds / 3600, into: text, 11..<13)
            Self.put(seconds / 60 % 60, into: text, 14..<16)
            Self.put(seconds % 60, into: text, 17..<19)
            Self.put(UInt64(ofDay) % 1_000_000, into: text, 20..<26)
        }
    }

    private static func put(
        _ value: UInt64, into text: UnsafeMutableBufferPointer<UInt8>, _ digits: Range<Int>
    ) {
        var rest = value
        for index in digits.reversed() {
            text[index] = UInt8(truncatingIfNeeded: rest % 10) + UInt8(ascii: "0")
            rest /= 10
        }
    }

    /// Microseconds in a day.
    static let perDay: Int64 = 86_400_000_000
}

extension EventTime: CustomStringConvertible {
    /// The time as RFC 3339 has it, in UTC with six digits.
    package var description: String {
        var output: [UInt8] = []
        append(to: &output)
        return String(decoding: output, as: UTF8.self)
    }
}

/// A text that is no time.
package struct EventTimeError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text as it came.
    package let text: String

    /// One sentence, with the text escaped.
    package var description: String {
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
    package init(rfc3339 text: String) throws(EventTimeError) {
        guard let microseconds = RFC3339.microseconds(text) else {
            throw EventTimeError(text: text)
        }
        self.init(microsecondsSince1970: microseconds)
        guard microsecondsSince1970 == microseconds else { throw EventTimeError(text: text) }
    }
}
