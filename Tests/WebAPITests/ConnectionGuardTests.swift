import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing

@testable import WebAPI

/// What arrives just as the next request is written, over a real connection that is read by hand.
@Suite(.timeLimit(.minutes(2))) struct ConnectionGuardTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test func whatHasArrivedAndWasNotReadYetKeepsTheNextRequestBack() async throws {
        let peer = try RawPeer()
        let client = try await GuardedConnection(to: peer)
        try await client.send()
        try peer.read()
        try peer.write(Self.answer)
        try await client.readUntil { $0.texts == ["ok"] }
        #expect(try await !client.hasUnread)

        try peer.write(Self.answer)
        while try await !client.hasUnread { await Task.yield() }
        try? await client.send()
        await client.closed()
        #expect(client.seen.texts == ["ok"])
        #expect(client.seen.errors == ["UnsentRequest"])
        #expect(try peer.read() == 0, "the request was sent")
    }

    @Test func anAnswerThatIsSentBeforeTheRequestArrivesIsRefused() async throws {
        // The server takes in little and reads nothing more, so that what is written waits here.
        let peer = try RawPeer(window: 4096)
        let client = try await GuardedConnection(to: peer)
        try await client.send(content: 4 << 20)
        try peer.write(Self.answer)
        try await client.readUntil { $0.texts == ["ok"] }
        // Until the server's window is full: as long as bytes are confirmed it takes some in.
        var confirmed: [UInt64?] = []
        repeat {
            try await Task.sleep(for: .milliseconds(50))
            confirmed.append(try await client.confirmedBytes)
        } while confirmed.count < 5 || Set(confirmed.suffix(5)).count > 1
        #expect(confirmed.last != .some(nil))
        try await client.sendLater()
        try peer.write(Self.answer)
        try await client.readUntil { !$0.errors.isEmpty }
        #expect(client.seen.texts == ["ok"])
        #expect(client.seen.errors == ["UnaskedAnswer"])
    }
}

/// A server of one connection, by plain system calls.
private final class RawPeer {
    let port: Int
    private let listener: Int32
    private var connection: Int32 = -1

    init(window: Int32? = nil) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        if var window {
            setsockopt(
                listener, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Int in
                guard bind(listener, address, length) == 0, listen(listener, 1) == 0,
                    getsockname(listener, address, &length) == 0
                else { return 0 }
                return Int(
                    UInt16(
                        bigEndian: UnsafeRawPointer(address).load(
                            fromByteOffset: 2, as: UInt16.self)))
            }
        }
        try #require(port > 0)
        self.port = port
    }

    deinit {
        close()
        Glibc.close(listener)
    }

    /// Takes the connection, which is in the backlog by now.
    func take() throws {
        connection = accept(listener, nil, nil)
        try #require(connection >= 0)
    }

    /// Reads what there is; zero where the client has closed.
    @discardableResult
    func read() throws -> Int {
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = Glibc.read(connection, &bytes, bytes.count)
        return max(count, 0)
    }

    func write(_ text: String) throws {
        let bytes = Array(text.utf8)
        try #require(Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) > 0)
    }

    func close() {
        if connection >= 0 { Glibc.close(connection) }
        connection = -1
    }
}

/// A connection as AsyncHTTPClient sets it up, with the guard in it, that reads only when it is told.
private final class GuardedConnection: Sendable {
    struct Seen {
        var texts: [String] = []
        var errors: [String] = []
    }

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = HTTPClientResponsePart
        private let note: @Sendable ((inout Seen) -> Void) -> Void
        private var text = ""

        init(_ note: @escaping @Sendable ((inout Seen) -> Void) -> Void) { self.note = note }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head: text = ""
            case .body(let bytes): text += String(buffer: bytes)
            case .end: note { [text] in $0.texts.append(text) }
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            note { $0.errors.append("\(type(of: error))") }
            context.close(promise: nil)
        }
    }

    private let channel: any Channel
    private let box: SeenBox

    init(to peer: RawPeer) async throws {
        let box = SeenBox()
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: false)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(HTTPRequestEncoder())
                    try pipeline.addHandler(ByteToMessageHandler(HTTPResponseDecoder()))
                    try pipeline.addHandler(
                        Collector { change in box.state.withLock { change(&$0) } })
                }
            }
            .connect(host: "127.0.0.1", port: peer.port).get()
        self.box = box
        try await ConnectionGuard.watch(channel).get()
        try peer.take()
    }

    private final class SeenBox: Sendable { let state = Mutex(Seen()) }

    var seen: Seen { box.state.withLock { $0 } }

    var hasUnread: Bool {
        get async throws {
            try await channel.eventLoop.submit { [channel] in SocketFacts(channel).hasUnread }.get()
        }
    }

    var confirmedBytes: UInt64? {
        get async throws {
            try await channel.eventLoop.submit { [channel] in
                SocketFacts(channel).confirmedBytes
            }.get()
        }
    }

    /// Writes a request, with a content that need not have left.
    func send(content: Int = 0) async throws {
        var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/")
        head.headers = ["Host": "x", "Content-Length": "\(content)"]
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        if content > 0 {
            let bytes = ByteBuffer(repeating: 0x20, count: content)
            channel.write(HTTPClientRequestPart.body(.byteBuffer(bytes)), promise: nil)
        }
        let end = channel.eventLoop.makePromise(of: Void.self)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: end)
        if content == 0 { try await end.futureResult.get() }
    }

    /// Writes a request that cannot leave yet.
    func sendLater() async throws {
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
        head.headers = ["Host": "x"]
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        try await channel.eventLoop.submit {}.get()
    }

    /// Reads until something is seen.
    func readUntil(_ isSeen: (Seen) -> Bool) async throws {
        while !isSeen(seen) {
            channel.read()
            try await channel.eventLoop.submit {}.get()
            await Task.yield()
        }
    }

    func closed() async {
        try? await channel.closeFuture.get()
    }
}
