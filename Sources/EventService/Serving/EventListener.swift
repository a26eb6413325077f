import HTTPService
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix

/// Accepts connections at one place, and answers what is asked there.
struct EventListener: Sendable {
    let bound: any Channel
    private let serving: @Sendable () async throws -> Void

    /// Binds a socket that listens; `connections` has all connections of the interface, and without an
    /// identity there is no TLS.
    init(
        _ socket: Int32, on loop: any EventLoop, router: EventRouter,
        connections: Connections, identity: ServerIdentity?, log: Logger
    ) async throws {
        var quiet = log
        quiet.logLevel = .error
        let logger = quiet
        let responder = router.routes().buildResponder()
        let channel = try guardedChannel(
            connections, identity: identity,
            knows: { [access = router.access] in access.policy.token.knows($0) },
            respond: { request, writer, channel in
                let context = EventContext(
                    source: ApplicationRequestContextSource(channel: channel, logger: logger))
                // The router finds no path for a method that no route has; those are refused alike.
                var head = request.head
                if !EventRouter.methods.contains(head.method) { head.method = .patch }
                let response = try await responder.respond(
                    to: Request(head: head, body: request.body), context: context)
                try await writer.write(response: response.head, body: response.body)
            })
        let bootstrap = ServerBootstrap(group: loop)
            // A slow client's events wait in the journal, not in memory.
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 8 << 10, high: 32 << 10))
        (bound, serving) = try await Self.bind(socket, bootstrap, channel, logger)
        ListeningSocket.setBacklog(of: socket)
    }

    /// Answers until the listening socket is closed and the last connection is gone.
    ///
    /// - Throws: The reason why no more connections can be accepted.
    func serve() async throws { try await serving() }

    private static func bind(
        _ socket: Int32, _ bootstrap: ServerBootstrap, _ channel: some ServerChildChannel,
        _ logger: Logger
    ) async throws -> (any Channel, @Sendable () async throws -> Void) {
        let server = try await bootstrap.bind(socket) { channel.setup(channel: $0, logger: logger) }
        return (
            server.channel,
            {
                try await withThrowingDiscardingTaskGroup { tasks in
                    try await server.executeThenClose { connections in
                        for try await connection in connections {
                            tasks.addTask {
                                await channel.handle(value: connection, logger: logger)
                            }
                        }
                    }
                }
            }
        )
    }
}
