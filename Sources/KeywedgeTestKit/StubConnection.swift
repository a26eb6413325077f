import NIOCore

/// One connection of a client to a stub server, in the hands of the server's script.
public final class StubConnection {
    /// Which connection it is, from 0.
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

    /// Reads a whole request; nothing is taken off the connection before.
    ///
    /// - Returns: The request; nil if the client closed the connection instead.
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

    /// Writes bytes as they are.
    ///
    /// - Parameter bytes: The bytes.
    /// - Throws: What writing throws, once the client has closed the connection.
    public func write(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
        try Task.checkCancellation()
    }

    /// Writes a text as it is; line breaks are not changed.
    ///
    /// - Parameter text: The text.
    /// - Throws: What writing throws, once the client has closed the connection.
    public func write(_ text: String) async throws {
        try await write(Array(text.utf8))
    }

    /// Writes an answer.
    ///
    /// - Parameter answer: The answer.
    /// - Throws: What writing throws, once the client has closed the connection.
    public func write(_ answer: StubAnswer) async throws {
        try await write(answer.bytes)
    }

    /// Waits, dropping what comes, until the client has closed the connection.
    public func waitForClose() async {
        while await readMore() { buffer.removeAll() }
    }

    private func readHead() async -> StubRequest? {
        let separator = Array("\r\n\r\n".utf8)
        var end = buffer.firstRange(of: separator)
        while end == nil {
            guard await readMore() else { return nil }
            end = buffer.firstRange(of: separator)
        }
        guard let end else { return nil }
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

@available(*, unavailable)
extension StubConnection: Sendable {}
