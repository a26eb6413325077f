import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing

@testable import WebAPI

/// What arrives just as the next request is written, over a real connection that is read by hand.
@Suite(.timeLimit(.minutes(10))) struct AnswerGuardTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// A connection on which one request was answered.
    private func usedConnection() async throws -> (RawPeer, GuardedConnection) {
        let peer = try RawPeer()
        let client = try await GuardedConnection(to: peer)
        try await client.send()
        try peer.read()
        try peer.write(Self.answer)
        try await client.read()
        #expect(client.seen.texts == ["ok"])
        return (peer, client)
    }

    @Test func whatHasArrivedAndWasNotReadYetKeepsTheNextRequestBack() async throws {
        let (peer, client) = try await usedConnection()
        #expect(try await !client.hasUnread)
        try peer.write(Self.answer)
        try client.waitForArrival()
        #expect(try await client.hasUnread)
        try? await client.send()
        await client.closed()
        #expect(client.seen.texts == ["ok"])
        #expect(client.seen.errors == ["UnsentRequest"])
        #expect(try peer.read() == 0, "the request was sent")
    }

    @Test func anAnswerThatIsSentBeforeTheRequestArrivesIsRefused() async throws {
        let (peer, client) = try await usedConnection()
        let confirmed = try await client.confirmedBytes
        try peer.goDeaf()
        try await client.send()
        try peer.write(Self.answer)
        try await client.read()
        #expect(client.seen.texts == ["ok"])
        #expect(client.seen.errors == ["UnaskedAnswer"])
        #expect(confirmed != nil)
    }
}

/// A server of one connection, by plain system calls.
private final class RawPeer {
    let port: Int
    private let listener: Int32
    private var connection: Int32 = -1

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
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

    /// From now on the server's system drops whatever the client sends, as a line does that is cut.
    func goDeaf() throws {
        // BPF_RET | BPF_K, 0: of every segment nothing is kept (linux/filter.h).
        var dropAll: (code: UInt16, ifTrue: UInt8, ifFalse: UInt8, constant: UInt32) = (6, 0, 0, 0)
        try withUnsafeMutablePointer(to: &dropAll) { filter in
            var program: (length: UInt, filter: UnsafeMutableRawPointer) = (1, .init(filter))
            let size = socklen_t(MemoryLayout.size(ofValue: program))
            try #require(
                setsockopt(connection, SOL_SOCKET, SO_ATTACH_FILTER, &program, size) == 0)
        }
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

    private final class SeenBox: Sendable { let state = Mutex(Seen()) }

    private let socket: Int32
    private let channel: any Channel
    private let box: SeenBox
    /// Something was seen.
    private let events: AsyncStream<Void>

    init(to peer: RawPeer) async throws {
        let box = SeenBox()
        let (events, event) = AsyncStream<Void>.makeStream()
        socket = try Self.connected(to: peer.port)
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: false)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(HTTPRequestEncoder())
                    try pipeline.addHandler(ByteToMessageHandler(HTTPResponseDecoder()))
                    try pipeline.addHandler(
                        Collector { change in
                            box.state.withLock { change(&$0) }
                            event.yield()
                        })
                }
            }
            .withConnectedSocket(socket).get()
        self.box = box
        self.events = events
        try await AnswerGuard.watch(channel).get()
        try peer.take()
    }

    private static func connected(to port: Int) throws -> Int32 {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, size)
            }
        }
        try #require(result == 0)
        return descriptor
    }

    var seen: Seen { box.state.withLock { $0 } }

    var hasUnread: Bool {
        get async throws {
            try await channel.eventLoop.submit { [channel] in SocketState(channel).hasUnread }.get()
        }
    }

    var confirmedBytes: UInt64? {
        get async throws {
            try await channel.eventLoop.submit { [channel] in
                SocketState(channel).confirmedBytes
            }.get()
        }
    }

    /// Writes a request.
    func send() async throws {
        var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/")
        head.headers = ["Host": "x", "Content-Length": "0"]
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        try await channel.writeAndFlush(HTTPClientRequestPart.end(nil)).get()
    }

    /// Reads until an answer or an error was seen.
    func read() async throws {
        try await channel.setOption(.autoRead, value: true).get()
        for await _ in events { break }
        // Whoever is closed by what it has read has no options any more.
        try? await channel.setOption(.autoRead, value: false).get()
    }

    /// Waits until something has arrived, without reading it.
    func waitForArrival() throws {
        var wanted = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        try #require(poll(&wanted, 1, 60_000) == 1)
    }

    func closed() async {
        try? await channel.closeFuture.get()
    }
}
