public import HTTPTypes
public import WireText

/// Why a response did not become a model.
public enum TransformError: Error, Equatable, Sendable {
    /// The status is none that has a model; with what the server said of it.
    case unacceptableStatus(HTTPResponse.Status, message: String?)
    /// The server leads elsewhere and is not followed; `to` has no secrets in it.
    case redirected(HTTPResponse.Status, to: String?)
    /// The server asks to be left alone.
    case throttled(HTTPResponse.Status, RetryAfter?, message: String?)
    /// The content is no JSON; with its media type and how it begins.
    case notJSON(JSONSyntaxError, mediaType: String?, beginning: String)
    /// The content is no UTF-8; 0-based, the first byte that is none.
    case notText(offset: Int)
    /// An object lacks a key.
    case missingKey(String, at: JSONPointer)
    /// A list lacks an element.
    case missingElement(Int, at: JSONPointer)
    /// There is something of another type; nil where there is nothing.
    case unexpectedType(at: JSONPointer, expected: String, found: JSONValue?)
    /// A number does not fit.
    case outOfRange(at: JSONPointer, expected: String, found: JSONValue)
    /// There is something of the right type that means nothing; nil where there is nothing.
    case unexpectedValue(at: JSONPointer, expected: String, found: JSONValue?)
    /// The response says in its own way that it is none; in one sentence without its full stop.
    case rejected(String)
}
