import NIOCore

/// A client's connection to a stub server, controlled by the server's script.
public final class StubConnection {
    /// The connection's index in the order in which clients connected; the first is 0.
    public let number: Int

    private let channel: any Channel
    private var chunks: AsyncStream<ByteBuffer>.AsyncIterator
    private let note: @Sendable (StubRequest) -> Void
    private var buffer: [UInt8] = []

    init(
        number: Int, channel: any Channel, chunks: AsyncStream<ByteBuffer>,
        note: @escaping @Sendable (StubRequest) -> Void
    ) {
        self.number = number
        self.channel = channel
        self.chunks = chunks.makeAsyncIterator()
        self.note = note
    }

    /// Reads a complete request; nil if the client closes the connection first, or if the request line is malformed.
    ///
    /// Without TLS, the server reads nothing from the socket before a call to this method or ``waitForClose()``.
    public func readRequest() async -> StubRequest? {
        guard let head = await readHead() else { return nil }
        let length = head["Content-Length"].flatMap { Int($0) } ?? 0
        while buffer.count < length {
            guard await readMore() else { return nil }
        }
        let request = StubRequest(
            method: head.method, target: head.target, headerLines: head.headerLines,
            body: Array(buffer[..<length]))
        buffer.removeFirst(length)
        note(request)
        return request
    }

    /// Writes bytes unchanged; throws if the connection is closed or the task is cancelled.
    public func write(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
        try Task.checkCancellation()
    }

    /// Writes text unchanged, including its line breaks.
    public func write(_ text: String) async throws { try await write(Array(text.utf8)) }

    /// Writes an answer as HTTP; throws if the connection is closed or the task is cancelled.
    public func write(_ answer: StubAnswer) async throws { try await write(answer.bytes) }

    /// Waits until the client closes the connection, and ignores everything that the client sends.
    public func waitForClose() async {
        while await readMore() { buffer.removeAll() }
    }

    /// Reads a request without its content; nil if the client closes the connection first, or if the request line is
    /// malformed.
    package func readHead() async -> StubRequest? {
        let separator = Array("\r\n\r\n".utf8)
        while buffer.firstRange(of: separator) == nil {
            guard await readMore() else { return nil }
        }
        guard let end = buffer.firstRange(of: separator) else { return nil }
        let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
            .split(separator: "\r\n").map(String.init)
        buffer.removeFirst(end.upperBound)
        let words = (lines.first ?? "").split(separator: " ").map(String.init)
        guard words.count == 3 else { return nil }
        return StubRequest(
            method: words[0], target: words[1], headerLines: Array(lines.dropFirst()), body: [])
    }

    private func readMore() async -> Bool {
        channel.read()
        guard let next = await chunks.next() else { return false }
        buffer += next.readableBytesView
        return true
    }
}

/// A request that a stub server received.
public struct StubRequest: Sendable, Equatable {
    /// The HTTP method as received, such as `GET`.
    public let method: String
    /// The path and the query as received, such as `/items?page=2`.
    public let target: String
    /// The lines of the header as received, without their line breaks.
    public let headerLines: [String]
    /// The content; empty if the request has no `Content-Length`.
    public let body: [UInt8]

    /// The path as received, such as `/items`, without the query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The query as received, such as `page=2`, without the question mark; empty if there is no query.
    public var query: String { String(target.dropFirst(path.count + 1)) }

    /// The content decoded as UTF-8; invalid bytes become U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of the first header field with this name, ignoring case; nil if there is no such field.
    public subscript(name: String) -> String? {
        for line in headerLines {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, parts[0].lowercased() == name.lowercased() {
                return String(parts[1].drop { $0 == " " })
            }
        }
        return nil
    }
}

/// The handler that starts the script when a client connects, and passes on the client's bytes.
final class StubHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let begin: (any Channel, AsyncStream<ByteBuffer>) -> Void
    private let chunks: AsyncStream<ByteBuffer>
    private let continuation: AsyncStream<ByteBuffer>.Continuation

    init(_ begin: @escaping (any Channel, AsyncStream<ByteBuffer>) -> Void) {
        self.begin = begin
        (chunks, continuation) = AsyncStream.makeStream()
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context.channel, chunks)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        continuation.yield(unwrapInboundIn(data))
    }

    func channelInactive(context: ChannelHandlerContext) {
        continuation.finish()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
