import NIOCore

/// What the kernel knows of a TCP connection, and SwiftNIO does not tell.
///
/// Where it cannot be asked, nothing is known, and nothing is concluded.
struct SocketState {
    private let channel: any Channel

    /// Looks at a connection; to be used on its event loop.
    init(_ channel: any Channel) {
        self.channel = channel
    }

    /// Whether something has come, or the server has closed, and that was not read yet.
    ///
    /// Source: Linux, `SO_MEMINFO`, whose first number is the memory that received bytes take; it is
    /// zero once all of them were read.
    var hasUnread: Bool {
        let option = ChannelOptions.Types.SocketOption(
            level: .socket, name: NIOBSDSocket.Option(rawValue: Self.memoryInformation))
        guard let memory = try? channel.syncOptions?.getOption(option) else { return false }
        // SwiftNIO asks for eight bytes, which are the first two numbers.
        return UInt32(truncatingIfNeeded: memory) > 0
    }

    /// How many of the bytes that were sent the server's system has confirmed; nil where that is
    /// not known.
    ///
    /// Source: Linux, `struct tcp_info` of `linux/tcp.h`, `tcpi_bytes_acked` at byte 120.
    var confirmedBytes: UInt64? {
        guard let channel = channel as? any SocketOptionProvider, channel.eventLoop.inEventLoop
        else { return nil }
        let information: EventLoopFuture<InlineArray<16, UInt64>> =
            channel.unsafeGetSocketOption(
                level: .tcp, name: NIOBSDSocket.Option(rawValue: Self.tcpInformation))
        var confirmed: UInt64?
        // It is known already, so that this is called at once.
        information.assumeIsolated().whenSuccess { confirmed = $0[15] }
        return confirmed == 0 ? nil : confirmed
    }

    private static let memoryInformation: CInt = 55
    private static let tcpInformation: CInt = 11
}
