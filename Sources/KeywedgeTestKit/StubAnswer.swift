import NIOHTTP1

/// An HTTP response that a stub server sends: a status, header fields and content.
public struct StubAnswer: Sendable {
    /// The HTTP status code, such as 200.
    public var status: Int
    /// The header fields, in the order in which they are sent; `Content-Length` is added automatically.
    public var headers: [(name: String, value: String)]
    /// The content, which follows the header fields; may be empty.
    public var body: [UInt8]

    /// Creates an answer; by default, its status is 200, and it has no content.
    public init(
        _ status: Int = 200, headers: KeyValuePairs<String, String> = [:], body: [UInt8] = []
    ) {
        self.status = status
        self.headers = headers.map { ($0.key, $0.value) }
        self.body = body
    }

    /// Makes an answer with text in UTF-8; `type` is its `Content-Type`.
    public static func text(
        _ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200,
        headers: KeyValuePairs<String, String> = [:]
    ) -> StubAnswer {
        var answer = StubAnswer(status, headers: headers, body: Array(text.utf8))
        answer.headers.append(("Content-Type", type))
        return answer
    }

    /// Makes an answer with JSON text, which is sent unchanged.
    public static func json(
        _ text: String, status: Int = 200, headers: KeyValuePairs<String, String> = [:]
    ) -> StubAnswer {
        .text(text, type: "application/json", status: status, headers: headers)
    }

    /// The encoded answer: the status line, the header fields including `Content-Length`, and the content.
    public var bytes: [UInt8] {
        let reason = HTTPResponseStatus(statusCode: status).reasonPhrase
        var head = "HTTP/1.1 \(status) \(reason)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        head += "Content-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }
}
