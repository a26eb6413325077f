import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import HTTPService

/// Tests which connections are closed because there are too many, or because a client is slow or sends too much.
@Suite struct ConnectionsTests {
    private let connections: Connections

    init() {
        var limits = ConnectionLimits(total: 6, perPeer: 3, request: .seconds(5))
        limits.bodySize = 100
        connections = Connections(limits: limits)
    }

    /// Makes a connection that is counted, with a limiter that accepts the token "right".
    private func connect(_ peer: String) throws -> EmbeddedChannel {
        let connections = connections
        let channel = EmbeddedChannel(
            handlers: [
                ConnectionGuard(connections), Encoder(),
                ConnectionLimiter(connections: connections) { $0 == "right" },
            ])
        channel.remoteAddress = try SocketAddress(ipAddress: peer, port: 1)
        try channel.connect(to: SocketAddress(ipAddress: peer, port: 1)).wait()
        return channel
    }

    private func ask(_ channel: EmbeddedChannel, token: String? = nil, body: Int? = 0) throws {
        var request = HTTPRequest(method: .get, scheme: "http", authority: "x", path: "/")
        request.headerFields[.authorization] = token
        try channel.writeInbound(HTTPRequestPart.head(request))
        guard let body else { return }
        if body > 0 {
            let bytes = ByteBuffer(repeating: 7, count: body)
            try channel.writeInbound(HTTPRequestPart.body(bytes))
        }
        try channel.writeInbound(HTTPRequestPart.end(nil))
    }

    private func isOpen(_ channel: EmbeddedChannel) -> Bool {
        channel.embeddedEventLoop.run()
        return channel.isActive
    }

    @Test func theOldestOfAPeerWithoutTokenGoes() throws {
        let other = try connect("10.0.0.2")
        let channels = try (0..<3).map { _ in try connect("10.0.0.1") }
        try ask(channels[0], token: "right")
        let fourth = try connect("10.0.0.1")
        #expect(channels.map(isOpen) == [true, false, true])
        #expect(isOpen(other) && isOpen(fourth))
        #expect(connections.count == 4)
    }

    @Test func aCrowdCannotCostAClientWithTheTokenItsConnection() throws {
        let channels = try (0..<6).map { try connect("10.0.0.\($0)") }
        for channel in channels { try ask(channel, token: "right") }
        for number in 0..<50 {
            let newcomer = try connect("10.1.0.\(number)")
            #expect(!isOpen(newcomer))
        }
        #expect(channels.allSatisfy(isOpen))
        // A connection that is closed makes room for another.
        channels[3].close(promise: nil)
        #expect(!isOpen(channels[3]))
        let next = try connect("10.1.0.1")
        #expect(isOpen(next))
    }

    @Test func whoWaitsForAnAnswerStays() throws {
        let channels = try (0..<3).map { _ in try connect("10.0.0.1") }
        for channel in channels { try ask(channel) }
        let newcomer = try connect("10.0.0.1")
        #expect(!isOpen(newcomer))
        #expect(channels.allSatisfy(isOpen))
        // A client whose request has not arrived completely does not count as waiting.
        let other = try (0..<3).map { _ in try connect("10.0.0.2") }
        for channel in other { try ask(channel, body: nil) }
        let second = try connect("10.0.0.2")
        #expect(isOpen(second))
        #expect(other.map(isOpen) == [false, true, true])
    }

    @Test(arguments: [nil, "wrong"]) func theFirstRequestHasFiveSeconds(token: String?) throws {
        let channel = try connect("10.0.0.1")
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(4900))
        #expect(isOpen(channel))
        try ask(channel, token: token, body: nil)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(4900))
        #expect(isOpen(channel))
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(200))
        #expect(!isOpen(channel))
        #expect(connections.count == 0)
    }

    @Test func whileTheAnswerIsMadeTheClientOwesNothing() throws {
        let channel = try connect("10.0.0.1")
        try ask(channel)
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(isOpen(channel))
    }

    @Test(arguments: [nil, "right"])
    func aClientThatDoesNotCloseAfterItsLastAnswerIsClosed(token: String?) throws {
        let channel = try connect("10.0.0.1")
        try ask(channel, token: token)
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        let answer = try #require(try channel.readOutbound(as: ByteBuffer.self))
        #expect((String(buffer: answer) == "close") == (token == nil))
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(9900))
        #expect(isOpen(channel))
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(200))
        // A connection that may send more requests is not closed here; the server closes it when it is idle.
        #expect(isOpen(channel) == (token != nil))
    }

    @Test func aRequestThatIsTooLargeEndsTheConnection() throws {
        let fits = try connect("10.0.0.1")
        try ask(fits, token: "right", body: 100)
        #expect(isOpen(fits))
        let large = try connect("10.0.0.1")
        try? ask(large, token: "right", body: 101)
        #expect(!isOpen(large))
    }

    @Test func withoutTheTokenThereIsOneAnswer() throws {
        let channel = try connect("10.0.0.1")
        try ask(channel)
        try ask(channel)
        var heads = 0
        while let part = try channel.readInbound(as: HTTPRequestPart.self) {
            if case .head(let request) = part {
                heads += 1
                #expect(request.headerFields[.connection] == "close")
            }
        }
        #expect(heads == 1)
    }

    @Test(arguments: [
        ("10.0.0.1", "10.0.0.1", true), ("10.0.0.1", "10.0.0.2", false),
        ("127.0.0.1", "127.0.0.2", false), ("127.0.0.1", "::1", false), ("::1", "::1", true),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
        ("fe80::1", "fe80::2", false), ("::ffff:10.0.0.1", "10.0.0.1", true),
        ("::ffff:10.0.0.1", "::ffff:10.0.0.2", false),
    ])
    func aPeerIsAnAddressOrANetwork(left: String, right: String, isSame: Bool) throws {
        let peers = try [left, right].map { Peer(try SocketAddress(ipAddress: $0, port: 1)) }
        #expect((peers[0] == peers[1]) == isSame)
    }
}

/// Writes only the value of an answer's field `Connection`.
private final class Encoder: ChannelOutboundHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = ByteBuffer

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(let answer) = unwrapOutboundIn(data) else {
            promise?.succeed()
            return
        }
        let field = answer.headerFields[.connection] ?? ""
        context.write(wrapOutboundOut(ByteBuffer(string: field)), promise: promise)
    }
}
