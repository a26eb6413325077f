import NIOCore
import NIOPosix
import TestWaiting

/// Connections on which a test decides every byte that is sent.
enum RawConnection {
    /// Sends bytes, and returns everything received until the other side closes or resets the connection.
    static func exchange(_ port: Int, _ text: String) async throws -> String {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connectTimeout(.seconds(Duration.patience.components.seconds))
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            var received: [UInt8] = []
            var iterator = inbound.makeAsyncIterator()
            while let bytes = try? await iterator.next() { received += Array(buffer: bytes) }
            return String(decoding: received, as: UTF8.self)
        }
    }

    /// Sends a request that starts with this line, and returns the response.
    static func ask(
        _ port: Int, _ line: String, _ fields: String = "Host: localhost\r\n"
    ) async throws -> String {
        try await exchange(port, "\(line) HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n")
    }
}
