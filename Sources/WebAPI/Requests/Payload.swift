import FoundationEssentials
public import WireText

/// An HTTP method together with its content.
///
/// One value holds both, so that a method cannot be combined with content that it does not allow.
///
/// Rule: RFC 9110, section 9.3; RFC 5789 for `PATCH`.
public enum MethodAndPayload: Hashable, Sendable {
    case get
    case head
    case post(Payload)
    case put(Payload)
    case patch(Payload)
    /// A `DELETE` with or without content; most services expect none.
    case delete(Payload?)

    /// A `DELETE` without content.
    public static var delete: MethodAndPayload { .delete(nil) }

    /// The method's name as sent, such as `GET`.
    public var method: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        }
    }

    /// The content to send; nil for `GET` and `HEAD`, and for a `DELETE` without content.
    public var payload: Payload? {
        switch self {
        case .get, .head: nil
        case .post(let payload), .put(let payload), .patch(let payload): payload
        case .delete(let payload): payload
        }
    }

    /// Whether sending the request twice has the same effect as sending it once.
    ///
    /// Rule: RFC 9110, section 9.2.2.
    public var isIdempotent: Bool {
        switch self {
        case .get, .head, .put, .delete: true
        case .post, .patch: false
        }
    }
}

/// The content of a request, and its media type.
///
/// Descriptions show only the size and type, because content may be secret.
public struct Payload: Hashable, Sendable, Redacted {
    /// The content, as sent.
    public let bytes: [UInt8]
    /// The value of the `Content-Type` header; nil for none.
    public let contentType: String?

    /// Creates content from bytes and their media type, such as `application/octet-stream`.
    public init(_ bytes: [UInt8], contentType: String?) {
        self.bytes = bytes
        self.contentType = contentType
    }

    /// Encodes text as UTF-8, with the media type `text/plain`.
    public static func text(_ text: String) -> Payload {
        Payload(Array(text.utf8), contentType: "text/plain; charset=utf-8")
    }

    /// No content, for a `POST` that needs none.
    public static let empty = Payload([], contentType: nil)

    /// The size and type, such as `12 bytes of application/json`.
    public var description: String {
        "\(bytes.count.counted("byte"))" + (contentType.map { " of \($0)" } ?? "")
    }
}

extension Payload {
    /// Encodes a JSON value, with the media type `application/json`.
    public static func json(_ value: JSONValue) -> Payload {
        Payload(Array(JSONWriter.text(of: value).utf8), contentType: "application/json")
    }

    /// Encodes a model as JSON with Foundation's encoder; members are sorted by key.
    ///
    /// A `Date` becomes an RFC 3339 time with microseconds, and a `Decimal` becomes a number with all its digits. A
    /// `URL` becomes a string, and `Data` a Base64 string. ``Response/decoded(as:at:keys:)`` reads all of them.
    ///
    /// - Throws: ``RequestError/unencodable(at:reason:)`` for values such as `NaN`, and if `encode(to:)` throws.
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

    /// Encodes a date as an RFC 3339 time; throws if its year does not have four digits.
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
    /// Encodes fields, in the given order, as a browser encodes a form; names and values can be any text.
    ///
    /// Rule: the URL Standard, section 5.2.
    public static func form(_ fields: KeyValuePairs<String, String>) -> Payload {
        form(fields.map { ($0.key, $0.value) })
    }

    /// Encodes fields, in the given order, as a browser encodes a form; names and values can be any text.
    public static func form(_ fields: [(name: String, value: String)]) -> Payload {
        let text = fields.map { "\(encoded($0.name))=\(encoded($0.value))" }
            .joined(separator: "&")
        return Payload(Array(text.utf8), contentType: "application/x-www-form-urlencoded")
    }

    private static func encoded(_ text: String) -> String {
        PercentEncoding.encoded(text).replacing("%20", with: "+").replacing("~", with: "%7E")
    }
}
