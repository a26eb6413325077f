public import HTTPTypes
public import WireText

/// What a server answered, whatever its status.
public struct Response: Hashable, Sendable, Redacted, CustomDebugStringConvertible {
    /// The status.
    public let status: HTTPResponse.Status
    /// The header fields, in order.
    public let headers: HTTPFields
    /// The content, decompressed.
    public let payload: [UInt8]
    /// Why the redirect that this response is was not followed; nil for any other response.
    public internal(set) var refusedRedirect: RefusedRedirect?

    /// Makes a response.
    public init(status: HTTPResponse.Status, headers: HTTPFields = [:], payload: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.payload = payload
    }

    /// Whether the status is one of 200 to 299.
    public var isSuccess: Bool { status.kind == .successful }

    /// The content as UTF-8; other bytes become U+FFFD.
    public var text: String { String(decoding: payload, as: UTF8.self) }

    /// The media type without parameters, in small letters, such as `application/json`.
    public var mediaType: String? {
        headers[.contentType].map { type in
            let end = type.firstIndex(of: ";") ?? type.endIndex
            return type[..<end].filter { $0 != " " && $0 != "\t" }.lowercased()
        }
    }

    /// Status, type and size.
    public var description: String {
        "\(statusText), \(payload.count.counted("byte"))"
            + (mediaType.map { " of \(Escaping.line.escaped($0))" } ?? "")
    }

    /// Status, header fields and the beginning of the content, secrets left out.
    public var debugDescription: String {
        ([description] + headers.redactedLines + [text.quoted(upTo: 1000)])
            .joined(separator: "\n")
    }

    /// The status's number and words, as `404 Not Found`; the words may be the server's own.
    var statusText: String {
        status.reasonPhrase.isEmpty
            ? "\(status.code)" : "\(status.code) \(Escaping.line.escaped(status.reasonPhrase))"
    }
}

/// What came of sending a request: there is a response, or there is none and a reason for it.
public enum Output: Hashable, Sendable {
    /// The server answered, whatever its status, and the whole answer is here.
    case response(Response)
    /// There is no whole answer.
    case noResponse(ConnectionError)

    /// The response, if there is one.
    public var response: Response? {
        if case .response(let response) = self { response } else { nil }
    }

    /// Why there is none, if that is so.
    public var connectionError: ConnectionError? {
        if case .noResponse(let error) = self { error } else { nil }
    }
}

extension Response {
    /// Goes on with a status of 200 to 299, and says of any other what the server said.
    ///
    /// - Throws: ``TransformError/throttled(_:_:message:)`` for 429, and for 503 with `Retry-After`;
    ///   ``TransformError/redirected(_:to:)`` for a status of 300 to 399 with `Location`;
    ///   ``TransformError/unacceptableStatus(_:message:)`` otherwise.
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

    /// Reads the content as JSON, whatever its stated type; it may be nested 128 deep.
    ///
    /// A byte order mark before it counts for nothing, and what is no UTF-8 may be ISO-8859-1 if
    /// the type says so.
    ///
    /// - Throws: ``TransformError/notJSON(_:mediaType:beginning:)``.
    public func json() throws(TransformError) -> JSONValue {
        do {
            return try jsonContent(maximumDepth: 128)
        } catch {
            throw .notJSON(error, mediaType: mediaType, beginning: beginning)
        }
    }

    /// Reads the content as text.
    ///
    /// - Throws: ``TransformError/notText(offset:)`` for what is no UTF-8.
    public func utf8Text() throws(TransformError) -> String {
        if let text = String(validating: payload, as: UTF8.self) { return text }
        throw .notText(offset: Self.firstInvalidByte(in: payload))
    }

    /// Reads the content as JSON and makes a model of what is at `pointer`, by Foundation's decoder.
    ///
    /// - Throws: ``TransformError``, with the place in the JSON.
    public func decoded<Model: Decodable>(
        as type: Model.Type = Model.self, at pointer: JSONPointer = JSONPointer(),
        keys: KeyStrategy = .asWritten
    ) throws(TransformError) -> Model {
        try ModelDecoder.decode(
            type, from: json(), bytes: contentInUTF8, at: pointer, keys: keys)
    }

    /// How the content begins.
    private var beginning: String { String(decoding: contentInUTF8.prefix(256), as: UTF8.self) }

    private static func firstInvalidByte(in bytes: [UInt8]) -> Int {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var offset = 0
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            offset += UTF8.width(scalar)
        }
        return offset
    }
}

extension Response {
    /// The content as UTF-8, however the server wrote it.
    ///
    /// A byte order mark before it is left out (RFC 8259, section 8.1, lets a reader do so). What
    /// is no UTF-8 is read as ISO-8859-1 if the type says so; what is UTF-8 stays that, for JSON
    /// is never anything else (the same section), and many servers name a charset they do not use.
    package var contentInUTF8: [UInt8] {
        if payload.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(payload.dropFirst(3)) }
        guard isLatin1, String(validating: payload, as: UTF8.self) == nil else { return payload }
        return Array(String(String.UnicodeScalarView(payload.map { Unicode.Scalar($0) })).utf8)
    }

    /// Reads the content as JSON, whatever its stated type.
    package func jsonContent(
        maximumDepth depth: Int = JSONReader.maximumDepth
    ) throws(JSONSyntaxError) -> JSONValue {
        try JSONReader.read(contentInUTF8, maximumDepth: depth)
    }

    /// Whether the type names ISO-8859-1, under its name or one of its aliases.
    ///
    /// Rules: RFC 9110, sections 5.6.6 and 8.3.2; IANA, "Character Sets".
    private var isLatin1: Bool {
        let parameters = (headers[.contentType] ?? "").split(separator: ";").dropFirst()
        return parameters.contains { parameter in
            let parts = parameter.lowercased().split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }) == "charset" else {
                return false
            }
            let name = parts[1].filter { !$0.isWhitespace && $0 != "\"" }
            return ["iso-8859-1", "iso_8859-1", "latin1", "l1"].contains(name)
        }
    }
}
