public import HTTPTypes
import WireText

/// How long a server asks the client to wait.
///
/// Rule: RFC 9110, section 10.2.3.
public enum RetryAfter: Hashable, Sendable, CustomStringConvertible {
    /// A time to wait, counted from the response.
    case delay(Duration)
    /// A date to wait for, on the server's clock; `sent` is the `Date` header, if any.
    case date(HTTPDate, sent: HTTPDate?)

    /// Parses a response's `Retry-After` header; returns nil if it is missing or invalid.
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

    /// Returns how long to wait after the response; never negative.
    ///
    /// A date is compared with the response's `Date` header, because the clocks of the client and server may differ. If
    /// that header is missing, the date is compared with `now`.
    public func wait(now: HTTPDate) -> Duration {
        switch self {
        case .delay(let delay): max(delay, .zero)
        case .date(let date, let sent): max(date.since(sent ?? now), .zero)
        }
    }

    /// The wait as the end of a sentence, such as `for 30s` or `until Sun, 06 Nov 1994 08:49:37 GMT`.
    public var description: String {
        switch self {
        case .delay(let delay): "for \(delay.text)"
        case .date(let date, _): "until \(date)"
        }
    }
}

/// The names of the header fields in which a service states its rate limit.
///
/// Some services throttle clients with status 403, which they also send for other reasons. These fields, or
/// `Retry-After`, show whether a response means throttling.
public struct RateLimitHeader: Hashable, Sendable {
    /// The name of the field that contains the number of requests left.
    public let remaining: HTTPField.Name
    /// The name of the field that contains the time when the limit is reset, in seconds since 1970.
    public let reset: HTTPField.Name

    /// Creates a pair of rate limit header names; nil if either name is invalid.
    public init?(remaining: String, reset: String) {
        guard let remaining = HTTPField.Name(remaining), let reset = HTTPField.Name(reset) else {
            return nil
        }
        self.remaining = remaining
        self.reset = reset
    }

    /// Throws an error if the response shows that the service throttled the client.
    ///
    /// - Throws: ``TransformError/throttled(_:_:message:)`` for status 403 or 429, if the response has a `Retry-After`
    ///   header or no requests are left.
    public func check(_ response: Response) throws(TransformError) {
        guard [403, 429].contains(response.status.code) else { return }
        let wait = RetryAfter(response.headers)
        guard wait != nil || response.headers[remaining] == "0" else { return }
        let reset = response.headers[reset].flatMap { Int64($0) }.map {
            RetryAfter.date(
                HTTPDate(secondsSince1970: $0),
                sent: response.headers[.date].flatMap { HTTPDate($0) })
        }
        throw .throttled(response.status, wait ?? reset, message: response.serverMessage)
    }
}
