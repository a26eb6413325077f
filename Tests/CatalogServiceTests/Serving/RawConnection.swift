import HTTPService
import NIOCore
import NIOPosix
import TestWaiting

/// A connection on which a test says what it wants, byte by byte.
struct RawConnection {
    private typealias Channel = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// What a test does with a connection.
    struct Ends {
        fileprivate var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
        fileprivate let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
        private(set) var received: [UInt8] = []

        fileprivate init(
            _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
            _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
        ) {
            self.inbound = inbound.makeAsyncIterator()
            self.outbound = outbound
        }

        /// Sends bytes.
        func send(_ text: String) async throws {
            try await outbound.write(ByteBuffer(string: text))
        }

        /// Takes what comes until the other side closes or resets the connection.
        mutating func receiveToTheEnd() async {
            while let bytes = try? await inbound.next() { received += Array(buffer: bytes) }
        }

        /// Takes what comes until there is so much.
        mutating func receive(_ count: Int) async throws {
            while received.count < count, let bytes = try await inbound.next() {
                received += Array(buffer: bytes)
            }
        }

        /// What came, as a text.
        var text: String { String(decoding: received, as: UTF8.self) }
    }

    /// Connects, does something, and closes.
    ///
    /// - Parameters:
    ///   - port: The port on loopback.
    ///   - buffer: How many bytes the kernel takes for it; nil for what it likes.
    ///   - body: Does something.
    /// - Returns: What `body` returns.
    /// - Throws: What connecting or `body` throws.
    static func open<Value: Sendable>(
        _ port: Int, buffer: Int? = nil, _ body: @Sendable (inout Ends) async throws -> Value
    ) async throws -> Value {
        var bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connectTimeout(.seconds(Duration.patience.components.seconds))
        if let buffer {
            bootstrap = bootstrap.channelOption(
                .socketOption(.so_rcvbuf), value: ChannelOptions.Types.SocketOption.Value(buffer))
        }
        let channel = try await bootstrap.connect(host: "127.0.0.1", port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                    wrappingChannelSynchronously: channel,
                    configuration: .init(
                        backPressureStrategy: .init(lowWatermark: 1, highWatermark: 1)))
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            var ends = Ends(inbound, outbound)
            return try await body(&ends)
        }
    }

    /// Sends one request line and takes the answer.
    static func ask(_ port: Int, _ line: String, _ fields: String = "") async throws -> String {
        try await open(port) { ends in
            try await ends.send(
                "\(line) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(fields)\r\n")
            await ends.receiveToTheEnd()
            return ends.text
        }
    }
}
