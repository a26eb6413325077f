import HTTPService
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore

/// Takes connections in at one place, and answers what is asked there.
struct EventListener: Sendable {
    typealias Connection = HTTP1Channel.Value
    typealias ServerChannel = NIOAsyncChannel<Connection, Never>

    private let plain: HTTP1Channel
    private let setUp: @Sendable (any Channel) -> EventLoopFuture<Connection>
    private let log: Logger

    /// `connections` has all connections of the interface; without an identity there is no TLS.
    ///
    /// - Throws: The reason why TLS refuses the identity.
    init(
        router: EventRouter, limits: ConnectionLimits, connections: Connections,
        identity: ServerIdentity?, log: Logger
    ) throws {
        var quiet = log
        quiet.logLevel = .error
        let logger = quiet
        let plain = HTTP1Channel(
            responder: router.respond,
            configuration: .guarded(
                limits: limits, connections: connections,
                knows: { [access = router.access] in access.policy.knows($0) }))
        if let identity {
            let guarded = GuardedChannel(
                try TLSChannel(plain, tlsConfiguration: identity.configuration),
                connections: connections)
            setUp = { guarded.setup(channel: $0, logger: logger) }
        } else {
            let guarded = GuardedChannel(plain, connections: connections)
            setUp = { guarded.setup(channel: $0, logger: logger) }
        }
        self.plain = plain
        self.log = logger
    }

    /// Prepares a connection that has just come.
    func setup(_ channel: any Channel) -> EventLoopFuture<Connection> { setUp(channel) }

    /// Answers until the listening socket is closed and the last connection is gone.
    ///
    /// - Throws: The reason why no more connections can be accepted.
    func serve(_ server: ServerChannel) async throws {
        try await withThrowingDiscardingTaskGroup { tasks in
            try await server.executeThenClose { connections in
                for try await connection in connections {
                    tasks.addTask { await plain.handle(value: connection, logger: log) }
                }
            }
        }
    }
}
