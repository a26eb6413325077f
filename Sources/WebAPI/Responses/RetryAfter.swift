public import HTTPTypes
import WireText

/// How long a server asks to be left alone.
///
/// Rule: RFC 9110, section 10.2.3.
public enum RetryAfter: Hashable, Sendable, CustomStringConvertible {
    /// For a time.
    case delay(Duration)
    /// Until a date on the server's clock; `sent` is that clock's time of the answer, if it was told.
    case date(HTTPDate, sent: HTTPDate?)

    /// Reads the header `Retry-After` of a response.
    public init?(_ headers: HTTPFields) {
        guard let text = headers[.retryAfter] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            self = .delay(.seconds(Int64(text) ?? Int64(Int32.max)))
        } else if let date = HTTPDate(text) {
            self = .date(date, sent: HTTPDate(of: headers))
        } else {
            return nil
        }
    }

    /// The time to wait from the answer on, never negative.
    ///
    /// A date is counted from the server's own `Date`, so that the two clocks need not agree.
    ///
    /// - Parameter now: The date here, for a server that did not say its own.
    /// - Returns: The time to wait.
    public func wait(now: HTTPDate) -> Duration {
        switch self {
        case .delay(let delay): max(delay, .zero)
        case .date(let date, let sent): max(date.since(sent ?? now), .zero)
        }
    }

    /// The wait as it is in a sentence.
    public var description: String {
        switch self {
        case .delay(let delay): "for \(delay.text)"
        case .date(let date, _): "until \(date)"
        }
    }
}

/// The header fields in which a service says how many requests it still takes.
///
/// Services refuse with 403 as well as with 429 if they take no more, and these fields, or
/// `Retry-After`, tell that from any other refusal.
public struct RateLimitHeader: Hashable, Sendable {
    /// How many requests are left.
    public let remaining: HTTPField.Name
    /// When there are some again, in seconds since 1970.
    public let reset: HTTPField.Name

    /// Takes the names of the fields, as `X-RateLimit-Remaining`; nil if one can be none.
    public init?(remaining: String, reset: String) {
        guard let remaining = HTTPField.Name(remaining), let reset = HTTPField.Name(reset) else {
            return nil
        }
        self.remaining = remaining
        self.reset = reset
    }

    /// Lets every response pass but a refusal that is a rate limit.
    ///
    /// - Parameter response: The whole response.
    /// - Throws: ``TransformError/throttled(_:_:message:)`` for 403 or 429 with `Retry-After`, or if
    ///   no requests are left.
    public func check(_ response: Response) throws(TransformError) {
        guard [403, 429].contains(response.status.code) else { return }
        let wait = RetryAfter(response.headers)
        guard wait != nil || response.headers[remaining] == "0" else { return }
        let reset = response.headers[reset].flatMap { Int64($0) }.map {
            RetryAfter.date(
                HTTPDate(secondsSince1970: $0), sent: HTTPDate(of: response.headers))
        }
        throw .throttled(response.status, wait ?? reset, message: response.serverMessage)
    }
}
