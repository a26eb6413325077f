public import HTTPTypes

/// The header fields in which a service tells how many requests it still takes.
///
/// Services refuse with 403 as well as with 429 where it takes no more, and these fields, or
/// `Retry-After`, tell that from any other refusal.
public struct RateLimitHeader: Hashable, Sendable {
    /// How many requests are left.
    public let remaining: HTTPField.Name
    /// When there are some again, in seconds since 1970.
    public let reset: HTTPField.Name

    /// Takes the names of the fields; nil where one can be none.
    ///
    /// - Parameters:
    ///   - remaining: The field with how many requests are left, as `X-RateLimit-Remaining`.
    ///   - reset: The field with the time when there are some again, in seconds since 1970.
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
    /// - Throws: ``TransformError/throttled(_:_:message:)`` for 403 or 429 with `Retry-After`, or where
    ///   no requests are left.
    public func check(_ response: Response) throws(TransformError) {
        guard [403, 429].contains(response.status.code) else { return }
        let wait = RetryAfter(response.headers)
        guard wait != nil || response.headers[remaining] == "0" else { return }
        throw .throttled(
            response.status, wait ?? resetTime(in: response), message: response.serverMessage)
    }

    private func resetTime(in response: Response) -> RetryAfter? {
        guard let seconds = response.headers[reset].flatMap({ Int64($0) }) else { return nil }
        let sent = response.headers[.date].flatMap { HTTPDate($0) }
        return .date(HTTPDate(secondsSince1970: seconds), sent: sent)
    }
}
