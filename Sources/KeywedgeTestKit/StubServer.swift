import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A loopback server that sends exactly the bytes that its script writes.
public final class StubServer: Sendable {
    /// A function that handles one connection; afterwards, the server closes the connection.
    public typealias Script = @Sendable (StubConnection) async throws -> Void

    private struct State {
        var port = 0
        var requests: [StubRequest] = []
        var tasks: [Task<Void, Never>] = []
        var channels: [any Channel] = []
        var isStopped = false
    }

    private let state = Mutex(State())
    private let script: Script
    private let scheme: String

    private init(scheme: String, script: @escaping Script) {
        self.scheme = scheme
        self.script = script
    }

    /// The port on 127.0.0.1 that the server listens on.
    public var port: Int { state.withLock { $0.port } }

    /// The server's URL without a path, such as `http://127.0.0.1:49152`; with TLS, the scheme is `https`.
    public var url: String { "\(scheme)://127.0.0.1:\(port)" }

    /// The requests that the script has read so far on all connections, in order.
    public var requests: [StubRequest] { state.withLock { $0.requests } }

    /// The number of connections so far, including closed ones.
    public var connections: Int { state.withLock { $0.channels.count } }

    /// Starts a server and calls `body` with it; afterwards, closes the server and all its connections.
    public static func run<Result: Sendable>(
        tls: StubTLS? = nil, script: @escaping Script,
        _ body: @Sendable (StubServer) async throws -> Result
    ) async throws -> Result {
        let server = StubServer(scheme: tls == nil ? "http" : "https", script: script)
        let listener = try await server.listen(tls)
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body(server))
        } catch {
            result = .failure(error)
        }
        try await listener.close()
        await server.stop()
        return try result.get()
    }

    /// Calls `body` with a server that answers each request with the result of `answer`.
    public static func answering<Result: Sendable>(
        tls: StubTLS? = nil, _ answer: @escaping @Sendable (StubRequest) async -> StubAnswer,
        _ body: @Sendable (StubServer) async throws -> Result
    ) async throws -> Result {
        try await run(
            tls: tls,
            script: { connection in
                while let request = await connection.readRequest() {
                    try await connection.write(await answer(request))
                }
            }, body)
    }

    private func listen(_ tls: StubTLS?) async throws -> any Channel {
        let context = try tls.map { try NIOSSLContext(configuration: $0.configuration()) }
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // Bytes are read only when the script asks for them, except with TLS, which must read for its handshake.
            .childChannelOption(.autoRead, value: tls != nil)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let context {
                        try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    }
                    try pipeline.addHandler(StubHandler { self.begin($0, $1) })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        state.withLock { $0.port = listener.localAddress?.port ?? 0 }
        return listener
    }

    private func begin(_ channel: any Channel, _ chunks: AsyncStream<ByteBuffer>) {
        let isTooLate = state.withLock { state in
            guard !state.isStopped else { return true }
            let number = state.channels.count
            state.channels.append(channel)
            state.tasks.append(
                Task {
                    let connection = StubConnection(
                        number: number, channel: channel, chunks: chunks,
                        note: { request in self.state.withLock { $0.requests.append(request) } })
                    // A client that closes its connection early ends only that connection's script.
                    try? await self.script(connection)
                    channel.close(promise: nil)
                })
            return false
        }
        if isTooLate { channel.close(promise: nil) }
    }

    private func stop() async {
        let (tasks, channels) = state.withLock { state in
            state.isStopped = true
            return (state.tasks, state.channels)
        }
        for channel in channels { channel.close(promise: nil) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}

extension StubTLS {
    fileprivate func configuration() throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(certificate.certificate).map {
                .certificate($0)
            },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: certificate.key, format: .pem)))
        if isOld { configuration.maximumTLSVersion = .tlsv12 }
        if let clientAuthority {
            configuration.certificateVerification = .noHostnameVerification
            configuration.trustRoots = .certificates(
                try NIOSSLCertificate.fromPEMBytes(clientAuthority.certificate))
        }
        return configuration
    }
}
