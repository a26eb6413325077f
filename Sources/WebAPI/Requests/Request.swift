public import HTTPTypes
import WireText

/// An HTTP request, ready for a transport to send.
///
/// Every request is valid: its URL is percent-encoded, and a `GET` has no content. Descriptions never show secrets.
public struct Request: Hashable, Sendable, Redacted, CustomDebugStringConvertible {
    /// The address, without the query.
    public var url: Address
    /// The query items, in the order in which they are sent.
    public var queries: [Query]
    /// The header fields, in the order in which they are sent.
    ///
    /// The transport adds `Host`, `Content-Length` and `Transfer-Encoding`.
    public var headers: HTTPFields
    /// The HTTP method and the content to send, if any.
    public var methodAndPayload: MethodAndPayload

    /// Creates a request; nil query items are left out.
    public init(
        _ url: Address, queries: [Query?] = [], headers: HTTPFields = [:],
        _ methodAndPayload: MethodAndPayload = .get
    ) {
        self.url = url
        self.queries = queries.compactMap(\.self)
        self.headers = headers
        self.methodAndPayload = methodAndPayload
    }

    /// Creates a request for a location, such as the target of a link.
    public init(
        _ location: Location, headers: HTTPFields = [:],
        _ methodAndPayload: MethodAndPayload = .get
    ) {
        self.init(
            location.address, queries: location.queries, headers: headers, methodAndPayload)
    }

    /// The URL, including the query.
    public var location: Location { Location(address: url, queries: queries) }

    /// The complete URL as sent, including secrets; only transports should use it.
    public var unredactedURL: String {
        url.description + Query.text(of: queries, redacted: false)
    }

    /// The header fields as sent, with the payload's `Content-Type` if `headers` has none.
    public var fieldsToSend: HTTPFields {
        guard let type = methodAndPayload.payload?.contentType, headers[.contentType] == nil else {
            return headers
        }
        var fields = headers
        fields.append(HTTPField(name: .contentType, value: type))
        return fields
    }

    /// The method and URL without secrets, such as `GET https://api.example.com/items?key=***`.
    public var description: String { "\(methodAndPayload.method) \(location)" }

    /// The method, URL, header fields and size of the content, without secrets.
    public var debugDescription: String {
        ([description] + fieldsToSend.redactedLines
            + [methodAndPayload.payload?.description].compactMap(\.self)).joined(separator: "\n")
    }
}

extension HTTPFields {
    /// One escaped line for each field, with secret values replaced by `***`.
    ///
    /// A value is secret if the field has a name such as `Authorization`, or the indexing strategy `.disallow`
    /// (RFC 7541, section 7.1.3).
    public var redactedLines: [String] {
        map { field in
            "\(field.name): "
                + (field.isSecret ? SecretNames.mark : Escaping.line.escaped(field.value))
        }
    }
}

/// A factory for header fields, which rejects invalid names and values.
public enum HeaderField {
    /// Makes a field; the name must be a token, and the value can contain visible ASCII characters, spaces and tabs.
    ///
    /// `HTTPField` itself would replace invalid characters with spaces. If `isSecret` is true, descriptions leave out
    /// the value.
    ///
    /// - Throws: ``HeaderFieldError`` if the name or value is invalid, or if only the transport may set the field.
    ///
    /// Rule: RFC 9110, sections 5.1 and 5.5.
    public static func make(
        _ name: String, _ value: String, isSecret: Bool = false
    ) throws(HeaderFieldError) -> HTTPField {
        guard let fieldName = HTTPField.Name(name) else { throw .name(name) }
        guard !isTheTransports(fieldName) else { throw .reserved(name) }
        let isVisible = value.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x09 }
        guard isVisible, HTTPField.isValidValue(value) else {
            throw .value(name: name, value: isSecret ? nil : value)
        }
        var field = HTTPField(name: fieldName, value: value)
        if isSecret { field.indexingStrategy = .disallow }
        return field
    }

    /// Whether only the transport may set the field; a wrong value could split a request in two.
    static func isTheTransports(_ name: HTTPField.Name) -> Bool {
        ["host", "content-length", "transfer-encoding", "connection", "te", "upgrade", "trailer"]
            .contains(name.canonicalName)
    }
}

/// Why a header field is invalid.
public enum HeaderFieldError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The name is not an HTTP token, which may contain only letters, digits and some punctuation.
    case name(String)
    /// Only the transport may set the header field with this name.
    case reserved(String)
    /// The field's value is invalid; `value` is nil if it is secret.
    case value(name: String, value: String?)

    /// The error message, without a full stop; unsafe characters are escaped.
    public var description: String {
        switch self {
        case .name(let name):
            "\(name.quoted(upTo: 120)) is not the name of a header; expected letters, digits and any of "
                + "!#$%&'*+-.^_`|~"
        case .reserved(let name):
            "the header \(name.quoted(upTo: 120)) is set by the transport; expected another one"
        case .value(let name, let value):
            "the header \(name.quoted(upTo: 120)) cannot be "
                + (value.map { $0.quoted(upTo: 120) } ?? "what it is set to")
                + "; expected visible ASCII characters, spaces and tabs, not at the ends"
        }
    }
}
