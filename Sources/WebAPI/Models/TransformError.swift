public import HTTPTypes
public import WireText

/// An error that says why a response could not be turned into a model.
public enum TransformError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The call does not accept the status; `message` is the server's message, or nil if it sent none.
    case unacceptableStatus(HTTPResponse.Status, message: String?)
    /// A redirect was not followed; `to` is the target without the query, if safe to show.
    case redirected(HTTPResponse.Status, to: String?)
    /// The server asks the client to wait; the ``RetryAfter`` is nil if the server does not say how long.
    case throttled(HTTPResponse.Status, RetryAfter?, message: String?)
    /// The content is not JSON; `beginning` is the text of its first 256 bytes, for messages.
    case notJSON(JSONSyntaxError, mediaType: String?, beginning: String)
    /// The content is not UTF-8; `offset` is the 0-based position of the first invalid byte.
    case notText(offset: Int)
    case missingKey(String, at: JSONPointer)
    case missingElement(Int, at: JSONPointer)
    /// A value is missing (`found` is nil) or differs from what was expected.
    case unexpectedValue(at: JSONPointer, expected: String, found: JSONValue?)
    /// The response is unusable for another reason; the text is the reason, without a full stop.
    case rejected(String)

    /// The error message, without a full stop; unsafe characters are escaped.
    public var description: String {
        switch self {
        case .unacceptableStatus(let status, let message):
            "the server answered \(Self.text(status, message))"
        case .redirected(let status, let target):
            "the server answered \(Self.text(status, nil)) and leads to "
                + "\(target.map { $0.quoted(upTo: 120) } ?? "nowhere"), which is not followed"
        case .throttled(let status, let wait, let message):
            "the server asks to wait" + (wait.map { " \($0)" } ?? "")
                + ": it answered \(Self.text(status, message))"
        case .notJSON(let error, let type, let beginning):
            "the answer is not JSON: \(error); it is "
                + (type.map(Escaping.line.escaped) ?? "of no stated type") + " and "
                + (beginning.isEmpty ? "empty" : "begins \(beginning.quoted(upTo: 60))")
        case .notText(let offset): "the answer is not UTF-8 text: byte \(offset) is invalid"
        case .missingKey(let key, let pointer):
            "the answer has no key \(key.quoted(upTo: 120)) \(Self.place(pointer))"
        case .missingElement(let index, let pointer):
            "the answer has no element \(index) \(Self.place(pointer))"
        case .unexpectedValue(let pointer, let expected, let found):
            "the answer has \(found?.nameInSentence ?? "nothing") \(Self.place(pointer)), expected "
                + Escaping.sentence.escaped(expected)
        case .rejected(let reason): reason
        }
    }

    private static func place(_ pointer: JSONPointer) -> String {
        pointer.tokens.isEmpty
            ? "at its top" : "at " + Escaping.line.escaped(pointer.description)
    }

    private static func text(_ status: HTTPResponse.Status, _ message: String?) -> String {
        let code = Response(status: status).statusText
        return message.map { "\(code): \($0.quoted(upTo: 200))" } ?? code
    }
}

extension JSONValue {
    /// A short description of the value for messages, such as `the number 5` or `a list of 3`.
    fileprivate var nameInSentence: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer(let number): "the number \(number)"
        case .number(let number):
            number.literal.utf8.count <= 40
                ? "the number \(number)"
                : "the number \(number.literal.prefix(20))… of \(number.literal.utf8.count) characters"
        case .string(let text): "the text \(text.quoted(upTo: 60))"
        case .array(let elements): "a list of \(elements.count)"
        case .object: "an object"
        }
    }
}
