public import HTTPTypes
public import WireText

/// A server's response, whatever its status.
public struct Response: Hashable, Sendable, Redacted, CustomDebugStringConvertible {
    /// The status code and reason phrase.
    public let status: HTTPResponse.Status
    /// The header fields, in the order in which the server sent them.
    public let headers: HTTPFields
    /// The decompressed content.
    public let payload: [UInt8]
    /// The target of a redirect that the client did not follow, and the reason; nil for other responses.
    public internal(set) var refusedRedirect: RefusedRedirect?

    /// Creates a response, for example in a test or a custom transport.
    public init(status: HTTPResponse.Status, headers: HTTPFields = [:], payload: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.payload = payload
    }

    /// Whether the status is 200 to 299.
    public var isSuccess: Bool { status.kind == .successful }

    /// The content decoded as UTF-8, with invalid bytes replaced by U+FFFD.
    public var text: String { String(decoding: payload, as: UTF8.self) }

    /// The lower-case media type without parameters, such as `text/html`; nil if none was sent.
    public var mediaType: String? {
        headers[.contentType].map { type in
            let end = type.firstIndex(of: ";") ?? type.endIndex
            return type[..<end].filter { $0 != " " && $0 != "\t" }.lowercased()
        }
    }

    /// The status, size and media type, such as `200 OK, 17 bytes of application/json`.
    public var description: String {
        "\(statusText), \(payload.count.counted("byte"))"
            + (mediaType.map { " of \(Escaping.line.escaped($0))" } ?? "")
    }

    /// The description, the header fields without secret values, and the beginning of the content.
    public var debugDescription: String {
        ([description] + headers.redactedLines + [text.quoted(upTo: 1000)])
            .joined(separator: "\n")
    }

    /// The status code and reason phrase, escaped, such as `404 Not Found`.
    var statusText: String {
        status.reasonPhrase.isEmpty
            ? "\(status.code)" : "\(status.code) \(Escaping.line.escaped(status.reasonPhrase))"
    }
}

/// The result of sending a request: a response, or an error if none arrived.
public enum Output: Hashable, Sendable {
    /// The complete response, whatever its status.
    case response(Response)
    case noResponse(ConnectionError)

    /// The response; nil if none arrived.
    public var response: Response? {
        if case .response(let response) = self { response } else { nil }
    }

    /// Why no response arrived; nil if one arrived.
    public var connectionError: ConnectionError? {
        if case .noResponse(let error) = self { error } else { nil }
    }
}

extension Response {
    /// Throws unless the status is 200 to 299.
    ///
    /// - Throws: ``TransformError/throttled(_:_:message:)`` for 429, and for 503 with `Retry-After`;
    ///   ``TransformError/redirected(_:to:)`` for 300 to 399 with `Location`;
    ///   ``TransformError/unacceptableStatus(_:message:)`` for any other status.
    public func requireSuccess() throws(TransformError) {
        guard !isSuccess else { return }
        let wait = RetryAfter(headers)
        if status == .tooManyRequests || (status == .serviceUnavailable && wait != nil) {
            throw .throttled(status, wait, message: serverMessage)
        }
        if status.kind == .redirection, let target = headers[.location] {
            throw .redirected(
                status,
                to: target.contains("@") ? nil : String(target.prefix { !"?#".contains($0) }))
        }
        throw .unacceptableStatus(status, message: serverMessage)
    }

    /// Parses the content as JSON, whatever the media type.
    ///
    /// The JSON may be nested up to 128 levels deep. A leading byte order mark is ignored. Content that is not UTF-8 is
    /// read as ISO-8859-1 if `Content-Type` names that charset.
    ///
    /// - Throws: ``TransformError/notJSON(_:mediaType:beginning:)`` if the content is not valid JSON.
    public func json() throws(TransformError) -> JSONValue {
        do {
            return try jsonContent(maximumDepth: 128)
        } catch {
            throw .notJSON(error, mediaType: mediaType, beginning: beginning)
        }
    }

    /// Returns the content as text, which must be UTF-8.
    ///
    /// - Throws: ``TransformError/notText(offset:)`` for other content.
    public func utf8Text() throws(TransformError) -> String {
        do {
            return String(copying: try UTF8Span(validating: payload.span))
        } catch {
            throw .notText(offset: error.byteOffsets.lowerBound)
        }
    }

    /// Parses the content as JSON, and decodes the model at `pointer` with Foundation's decoder.
    ///
    /// - Throws: ``TransformError``; if a value does not fit the model, the error contains its JSON pointer.
    public func decoded<Model: Decodable>(
        as type: Model.Type = Model.self, at pointer: JSONPointer = JSONPointer(),
        keys: KeyStrategy = .asWritten
    ) throws(TransformError) -> Model {
        try ModelDecoder.decode(
            type, from: json(), bytes: contentInUTF8, at: pointer, keys: keys)
    }

    private var beginning: String { String(decoding: contentInUTF8.prefix(256), as: UTF8.self) }
}

extension Response {
    /// The content in UTF-8, converted from ISO-8859-1 if necessary.
    ///
    /// A leading byte order mark is removed (RFC 8259, section 8.1). Content is converted only if `Content-Type` names
    /// ISO-8859-1. Valid UTF-8 is never converted, because many servers name a charset that they do not use.
    package var contentInUTF8: [UInt8] {
        if payload.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(payload.dropFirst(3)) }
        guard isLatin1, String(validating: payload, as: UTF8.self) == nil else { return payload }
        return Array(String(String.UnicodeScalarView(payload.map { Unicode.Scalar($0) })).utf8)
    }

    package func jsonContent(
        maximumDepth depth: Int = JSONReader.maximumDepth
    ) throws(JSONSyntaxError) -> JSONValue {
        try JSONReader.read(contentInUTF8, maximumDepth: depth)
    }

    /// Whether `Content-Type` names the charset ISO-8859-1, directly or by a common alias.
    ///
    /// Rules: RFC 9110, sections 5.6.6 and 8.3.2; IANA, "Character Sets".
    private var isLatin1: Bool {
        guard let type = headers[.contentType], type.utf8.contains(UInt8(ascii: ";")) else {
            return false
        }
        return type.lowercased().filter { !" \t\"".contains($0) }.split(separator: ";").dropFirst()
            .contains { parameter in
                ["iso-8859-1", "iso_8859-1", "latin1", "l1"].contains {
                    parameter == "charset=\($0)"
                }
            }
    }
}

extension Response {
    /// The server's human-readable message, truncated to 400 characters; nil if it sent none.
    ///
    /// In a JSON object, it is the first non-empty string among `message`, `error_description`, `detail` and `title`
    /// (RFC 9457), or else the message in `error` or `errors`. In a JSON array, only the first element counts. In HTML,
    /// it is the title, or else the first `h1`. In other text, it is the first line that is not blank.
    public var serverMessage: String? {
        guard !payload.isEmpty else { return nil }
        let content = contentInUTF8
        let head = content.count > 65536 ? Array(content.prefix(65536)) : content
        let message =
            if let json = try? JSONReader.read(head) {
                Self.message(in: json, depth: 0)
            } else if mediaType == "text/html" || Self.beginsWithMarkup(head) {
                Self.title(of: String(decoding: head, as: UTF8.self))
            } else if mediaType == nil || mediaType?.hasPrefix("text/") == true {
                Self.firstLine(of: String(decoding: head, as: UTF8.self))
            } else {
                String?.none
            }
        return message.flatMap { $0.isEmpty ? nil : String($0.prefix(400)) }
    }

    private static func beginsWithMarkup(_ content: [UInt8]) -> Bool {
        content.first { $0 > 0x20 } == UInt8(ascii: "<")
    }

    private static func message(in json: JSONValue, depth: Int) -> String? {
        guard depth < 4 else { return nil }
        switch json {
        case .string(let text): return text
        case .array(let elements):
            return elements.first.flatMap { message(in: $0, depth: depth + 1) }
        case .object(let object):
            for key in ["message", "error_description", "detail", "title"] {
                if let text = object[key]?.string, !text.isEmpty { return text }
            }
            for key in ["error", "errors"] {
                if let inner = object[key], let text = message(in: inner, depth: depth + 1) {
                    return text
                }
            }
            return nil
        default: return nil
        }
    }

    private static func title(of page: String) -> String? {
        let bytes = Array(page.utf8)
        let small = bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        for name in ["title", "h1"] {
            guard let open = small.firstRange(of: Array("<\(name)".utf8)),
                let close = small[open.upperBound...].firstRange(of: Array("</\(name)".utf8)),
                let end = small[..<close.lowerBound][open.upperBound...].firstIndex(of: 0x3E)
            else { continue }
            let text = String(decoding: bytes[(end + 1)..<close.lowerBound], as: UTF8.self)
            if let words = words(of: text) { return words }
        }
        return nil
    }

    private static func firstLine(of text: String) -> String? {
        text.split { $0.isNewline }.lazy.compactMap(words).first
    }

    /// Returns the text with single spaces between words; nil for blank text.
    private static func words(of text: some StringProtocol) -> String? {
        let words = text.split { $0.isWhitespace }.joined(separator: " ")
        return words.isEmpty ? nil : words
    }
}
