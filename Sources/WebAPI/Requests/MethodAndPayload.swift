/// What is done, together with the content it is done with.
///
/// Method and content are one value, so that those that do not fit cannot be put together.
///
/// Rule: RFC 9110, section 9.3; RFC 5789 for `PATCH`.
public enum MethodAndPayload: Hashable, Sendable {
    /// Asks for something; has no content.
    case get
    /// Asks for the head of an answer; has no content.
    case head
    /// Asks what can be done; has no content.
    case options
    /// Sends something.
    case post(Payload)
    /// Puts something in a place.
    case put(Payload)
    /// Changes something.
    case patch(Payload)
    /// Removes something; a few services want content.
    case delete(Payload?)

    /// Removes something, without content.
    public static var delete: MethodAndPayload { .delete(nil) }

    /// The method's name as it is sent.
    public var method: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .options: "OPTIONS"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        }
    }

    /// The content; `nil` where there is none.
    public var payload: Payload? {
        switch self {
        case .get, .head, .options: nil
        case .post(let payload), .put(let payload), .patch(let payload): payload
        case .delete(let payload): payload
        }
    }

    /// Whether doing it twice is the same as doing it once.
    ///
    /// Rule: RFC 9110, section 9.2.2.
    public var isIdempotent: Bool {
        switch self {
        case .get, .head, .options, .put, .delete: true
        case .post, .patch: false
        }
    }
}
