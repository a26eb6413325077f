import FoundationEssentials
public import WireText

/// A method with its content.
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

    /// The content; nil if there is none.
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

/// The content of a request, and its type.
///
/// No description of it shows more than type and size, for it may hold secrets.
public struct Payload: Hashable, Sendable, Redacted {
    /// The content.
    public let bytes: [UInt8]
    /// What goes into `Content-Type`; nil for no such header.
    public let contentType: String?

    /// Content of any type, for example `application/octet-stream`.
    public init(_ bytes: [UInt8], contentType: String?) {
        self.bytes = bytes
        self.contentType = contentType
    }

    /// Plain text in UTF-8, as `text/plain`.
    public static func text(_ text: String) -> Payload {
        Payload(Array(text.utf8), contentType: "text/plain; charset=utf-8")
    }

    /// No content at all, for a `POST` that needs none.
    public static let empty = Payload([], contentType: nil)

    /// Size and type.
    public var description: String {
        "\(bytes.count.counted("byte"))" + (contentType.map { " of \($0)" } ?? "")
    }
}

extension Payload {
    /// A JSON value, as `application/json`.
    public static func json(_ value: JSONValue) -> Payload {
        var bytes: [UInt8] = []
        JSONWriter.append(value, to: &bytes)
        return Payload(bytes, contentType: "application/json")
    }

    /// A model as JSON, by Foundation's encoder; members sorted by their keys.
    ///
    /// A `Date` is a time as RFC 3339 has it, to the microsecond; a `Decimal` a number, digit for digit;
    /// a `URL` a text; `Data` Base64. ``Response/decoded(as:at:keys:)`` reads all of them.
    ///
    /// - Throws: ``RequestError/unencodable(at:reason:)``, for `NaN` and what the model refuses.
    public static func json(
        _ model: some Encodable, keys: KeyStrategy = .asWritten
    ) throws(RequestError) -> Payload {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if keys == .snakeCase { encoder.keyEncodingStrategy = .convertToSnakeCase }
        encoder.dateEncodingStrategy = .custom(encode)
        do {
            return Payload(Array(try encoder.encode(model)), contentType: "application/json")
        } catch EncodingError.invalidValue(let value, let context) {
            let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
            throw .unencodable(
                at: JSONPointer(path), reason: "\(value): \(context.debugDescription)")
        } catch {
            throw .unencodable(at: JSONPointer(), reason: "\(error)")
        }
    }

    /// Writes a time, which has four digits for its year.
    private static func encode(_ date: Date, to encoder: any Encoder) throws {
        let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
        guard let text = Int64(exactly: microseconds).map(RFC3339.text),
            RFC3339.microseconds(text) != nil
        else {
            throw EncodingError.invalidValue(
                date, .init(codingPath: encoder.codingPath, debugDescription: "no time of RFC 3339")
            )
        }
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension Payload {
    /// Fields as a web form sends them: any texts, in order.
    ///
    /// Rule: the URL Standard, section 5.2.
    public static func form(_ fields: KeyValuePairs<String, String>) -> Payload {
        form(fields.map { ($0.key, $0.value) })
    }

    /// Fields as a web form sends them: any texts, in order.
    public static func form(_ fields: [(name: String, value: String)]) -> Payload {
        let text = fields.map { "\(encoded($0.name))=\(encoded($0.value))" }
            .joined(separator: "&")
        return Payload(Array(text.utf8), contentType: "application/x-www-form-urlencoded")
    }

    private static func encoded(_ text: String) -> String {
        PercentEncoding.encoded(text).replacing("%20", with: "+").replacing("~", with: "%7E")
    }
}
