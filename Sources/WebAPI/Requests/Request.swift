public import HTTPTypes
import WireText

/// An HTTP request.
///
/// A value that exists can be sent: nothing in it can leave its place in the request, and a `GET`
/// with a body cannot be written. No description of it shows a secret.
public struct Request: Hashable, Sendable, Redacted, CustomDebugStringConvertible {
    /// Where it goes, without query.
    public var url: Address
    /// The query, in order.
    public var queries: [Query]
    /// The header fields, in order.
    ///
    /// `Host`, `Content-Length` and `Transfer-Encoding` are the transport's.
    public var headers: HTTPFields
    /// What is done, and with what content.
    public var methodAndPayload: MethodAndPayload

    /// Makes a request; a query that is nil is left out.
    public init(
        _ url: Address, queries: [Query?] = [], headers: HTTPFields = [:],
        _ methodAndPayload: MethodAndPayload = .get
    ) {
        self.url = url
        self.queries = queries.compactMap(\.self)
        self.headers = headers
        self.methodAndPayload = methodAndPayload
    }

    /// Makes a request for what a link leads to.
    public init(
        _ location: Location, headers: HTTPFields = [:],
        _ methodAndPayload: MethodAndPayload = .get
    ) {
        self.init(
            location.address, queries: location.queries, headers: headers, methodAndPayload)
    }

    /// Address and query.
    public var location: Location { Location(address: url, queries: queries) }

    /// The whole URL as it is sent, secrets and all: for transports only.
    public var unredactedURL: String {
        url.description + Query.text(of: queries, redacted: false)
    }

    /// The header fields as they are sent: with the payload's `Content-Type`, where none is set.
    public var fieldsToSend: HTTPFields {
        guard let type = methodAndPayload.payload?.contentType, headers[.contentType] == nil else {
            return headers
        }
        var fields = headers
        fields.append(HTTPField(name: .contentType, value: type))
        return fields
    }

    /// Method and URL, secrets left out.
    public var description: String { "\(methodAndPayload.method) \(location)" }

    /// Method, URL, header fields and the size of the content, secrets left out.
    public var debugDescription: String {
        ([description] + fieldsToSend.redactedLines
            + [methodAndPayload.payload?.description].compactMap(\.self)).joined(separator: "\n")
    }
}

extension HTTPFields {
    /// One line a field, escaped, secrets left out.
    ///
    /// Secret are the names that tell, such as `Authorization`, `Cookie` and `X-API-Key`, and every
    /// field whose indexing strategy is `.disallow`, which is how RFC 7541, section 7.1.3, marks a
    /// sensitive one.
    public var redactedLines: [String] {
        map { field in
            "\(field.name): "
                + (field.isSecret ? SecretNames.mark : Escaping.line.escaped(field.value))
        }
    }
}
