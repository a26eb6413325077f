public import HTTPTypes
import WireText

/// How long a server asks to be left alone.
///
/// Rule: RFC 9110, section 10.2.3.
public enum RetryAfter: Hashable, Sendable {
    /// For a time.
    case delay(Duration)
    /// Until a date on the server's clock; `sent` is that clock's time of the answer, where it told.
    case date(HTTPDate, sent: HTTPDate?)

    /// Reads the header `Retry-After`.
    ///
    /// - Parameter headers: The response's.
    public init?(_ headers: HTTPFields) {
        guard let text = headers[.retryAfter] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            self = .delay(.seconds(Int64(text) ?? Int64(Int32.max)))
        } else if let date = HTTPDate(text) {
            self = .date(date, sent: headers[.date].flatMap { HTTPDate($0) })
        } else {
            return nil
        }
    }

    /// The time to wait, never negative.
    ///
    /// A date is counted from the server's own `Date`, so that the two clocks need not agree.
    ///
    /// - Parameter now: The date here, for a server that did not say its own.
    /// - Returns: The time to wait from the answer on.
    public func wait(now: HTTPDate) -> Duration {
        switch self {
        case .delay(let delay): max(delay, .zero)
        case .date(let date, let sent): max(date.since(sent ?? now), .zero)
        }
    }
}

extension RetryAfter: CustomStringConvertible {
    /// The wait as it stands in a sentence.
    public var description: String {
        switch self {
        case .delay(let delay): "for \(delay.text)"
        case .date(let date, _): "until \(date)"
        }
    }
}
