public import HTTPTypes
public import WireText

/// Why a response did not become a model.
public enum TransformError: Error, Equatable, Sendable, CustomStringConvertible {
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
    /// There is something of another type; nil if there is nothing.
    case unexpectedType(at: JSONPointer, expected: String, found: JSONValue?)
    /// A number does not fit.
    case outOfRange(at: JSONPointer, expected: String, found: JSONValue)
    /// There is something of the right type that means nothing; nil if there is nothing.
    case unexpectedValue(at: JSONPointer, expected: String, found: JSONValue?)
    /// The response says in its own way that it is none; in one sentence without its full stop.
    case rejected(String)

    /// One sentence without its full stop, all of it escaped.
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
            "the answer is no JSON: \(error); it is "
                + (type.map(Escaping.line.escaped) ?? "of no stated type") + " and "
                + (beginning.isEmpty ? "empty" : "begins \(beginning.quoted(upTo: 60))")
        case .notText(let offset): "the answer is no UTF-8 text: byte \(offset) cannot stand there"
        case .rejected(let reason): reason
        default: mappingDescription
        }
    }

    private var mappingDescription: String {
        switch self {
        case .missingKey(let key, let pointer):
            "the answer has no key \(key.quoted(upTo: 120)) \(Self.place(pointer))"
        case .missingElement(let index, let pointer):
            "the answer has no element \(index) \(Self.place(pointer))"
        case .unexpectedType(let pointer, let expected, let found),
            .unexpectedValue(let pointer, let expected, let found):
            Self.mismatch(at: pointer, expected: expected, found: found)
        case .outOfRange(let pointer, let expected, let found):
            Self.mismatch(at: pointer, expected: expected, found: found)
        default: ""
        }
    }

    private static func mismatch(
        at pointer: JSONPointer, expected: String, found: JSONValue?
    ) -> String {
        let found = found?.nameInSentence ?? "nothing"
        return "the answer has \(found) \(place(pointer)), expected "
            + Escaping.sentence.escaped(expected)
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
    /// What the value is, as it is in a sentence.
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
