/// An answer of a stub server, in order.
public struct StubAnswer: Sendable {
    /// The status's number.
    public var status: Int
    /// The header fields, `Content-Length` aside.
    public var headers: [(name: String, value: String)]
    /// The content.
    public var body: [UInt8]

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - status: The status's number.
    ///   - headers: The header fields, `Content-Length` aside.
    ///   - body: The content.
    public init(
        _ status: Int = 200, headers: KeyValuePairs<String, String> = [:], body: [UInt8] = []
    ) {
        self.status = status
        self.headers = headers.map { ($0.key, $0.value) }
        self.body = body
    }

    /// An answer with a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - type: Its media type.
    ///   - status: The status's number.
    ///   - headers: Further header fields.
    /// - Returns: The answer.
    public static func text(
        _ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200,
        headers: KeyValuePairs<String, String> = [:]
    ) -> StubAnswer {
        var answer = StubAnswer(status, headers: headers, body: Array(text.utf8))
        answer.headers.append(("Content-Type", type))
        return answer
    }

    /// An answer with JSON.
    ///
    /// - Parameters:
    ///   - text: The JSON, sent as it is.
    ///   - status: The status's number.
    ///   - headers: Further header fields.
    /// - Returns: The answer.
    public static func json(
        _ text: String, status: Int = 200, headers: KeyValuePairs<String, String> = [:]
    ) -> StubAnswer {
        .text(text, type: "application/json", status: status, headers: headers)
    }

    /// The answer as it is sent.
    public var bytes: [UInt8] {
        var head = "HTTP/1.1 \(status) \(Self.reasons[status] ?? "Whatever")\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        head += "Content-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }

    private static let reasons = [
        200: "OK", 201: "Created", 204: "No Content", 301: "Moved Permanently", 302: "Found",
        304: "Not Modified", 307: "Temporary Redirect", 400: "Bad Request", 401: "Unauthorized",
        403: "Forbidden", 404: "Not Found", 429: "Too Many Requests",
        500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
    ]
}
