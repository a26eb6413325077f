package import Events
package import HTTPService
import Hummingbird
import HummingbirdCore
package import Journal
package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
import WebAPI

/// The daemon's HTTP interface, which runs on its own thread and sleeps while there is nothing to do.
package final class EventServer: Service {
    /// The limits on connections; all clients of the unix socket count as one peer.
    package static let limits = ConnectionLimits(total: 2048, perPeer: 2048)

    let feed: LiveFeed
    let counts = Mutex(EventCounts())
    let parts: StatusParts
    let consumers = ConsumerReaders()
    package let reloads = ReloadRequests()
    package let sockets: InterfaceSockets
    let journal: EventJournal
    let source: String
    let now: @Sendable () -> EventTime
    let log: Logger
    /// How long a request waits for the journal, whose disk may hang or be full.
    let patience: Duration
    private let connections: Connections
    private let onListening: @Sendable (Int) -> Void

    /// Creates the interface; `onListening` receives the TCP port when the interface begins to listen.
    ///
    /// `source` is the CloudEvents source of events that the interface itself adds to streams.
    package init(
        _ sockets: InterfaceSockets, journal: EventJournal, source: String,
        now: @escaping @Sendable () -> EventTime, parts: StatusParts,
        limits: ConnectionLimits = EventServer.limits, patience: Duration = .seconds(5),
        log: Logger, onListening: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        (self.sockets, self.journal, self.source, self.now) = (sockets, journal, source, now)
        (self.patience, self.log, self.onListening) = (patience, log, onListening)
        connections = Connections(limits: limits)
        feed = LiveFeed(journal: journal)
        self.parts = parts
    }

    /// Serves until the service group shuts down, and then sends the remaining events.
    package func run() async throws {
        defer { sockets.removeFile() }
        try await MultiThreadedEventLoopGroup.withEventLoopGroup(numberOfThreads: 1) { group in
            let loop = group.next()
            try await withTaskExecutorPreference(LoopExecutor(loop)) { try await serve(on: loop) }
        }
    }

    private func serve(on loop: any EventLoop) async throws {
        feed.wakeStreams(on: loop)
        try await withGracefulShutdownHandler {
            try await withThrowingDiscardingTaskGroup { tasks in
                for place in sockets.places {
                    tasks.addTask { [self] in
                        guard let socket = await opened(place, on: loop) else { return }
                        try await serve(place, socket, on: loop)
                    }
                }
            }
        } onGracefulShutdown: { [feed, connections] in
            feed.finish()
            connections.endWhenIdle()
            // Clients may take this long to receive the remaining events.
            loop.scheduleTask(in: .seconds(1)) { connections.endAll() }
        }
    }

    /// Opens a listening socket, retrying with growing pauses after each failure; returns nil at shutdown.
    private func opened(
        _ place: InterfaceSockets.Place, on loop: any EventLoop
    ) async -> InterfaceSockets.Listener? {
        let (attempts, attempt) = AsyncStream<Void>.makeStream()
        attempt.yield()
        return await withGracefulShutdownHandler {
            var backoff = Backoff(first: .seconds(1), longest: .seconds(30))
            for await _ in attempts {
                if let socket = sockets.opened(place) { return socket }
                loop.scheduleTask(in: TimeAmount(backoff.next())) { attempt.yield() }
            }
            return nil
        } onGracefulShutdown: {
            attempt.finish()
        }
    }

    private func serve(
        _ place: InterfaceSockets.Place, _ socket: InterfaceSockets.Listener, on loop: any EventLoop
    ) async throws {
        let router = EventRouter(server: self, place: place)
        let responder = router.routes().buildResponder()
        var quiet = log
        quiet.logLevel = .error
        let channel = try guardedChannel(
            connections, identity: socket.identity,
            knows: { router.policy.token.knows($0) },
            respond: { [quiet] request, writer, channel in
                let context = EventContext(
                    source: ApplicationRequestContextSource(channel: channel, logger: quiet))
                // The router would answer an unknown method with 404; treated as PATCH, it is refused with 405.
                var head = request.head
                if !EventRouter.methods.contains(head.method) { head.method = .patch }
                let response = try await responder.respond(
                    to: Request(head: head, body: request.body), context: context)
                try await writer.write(response: response.head, body: response.body)
            })
        try await accept(channel, at: place, socket.descriptor, on: loop, quiet)
    }

    /// Accepts connections until shutdown, and waits for the last one to end.
    private func accept(
        _ channel: some ServerChildChannel, at place: InterfaceSockets.Place, _ socket: Int32,
        on loop: any EventLoop, _ log: Logger
    ) async throws {
        let server = try await ServerBootstrap(group: loop)
            // A slow client's events wait in the journal, not in memory.
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 8 << 10, high: 32 << 10))
            .bind(socket) { channel.setup(channel: $0, logger: log) }
        ListeningSocket.setBacklog(of: socket)
        if place == .http { onListening(server.channel.localAddress?.port ?? 0) }
        try await withGracefulShutdownHandler {
            try await withThrowingDiscardingTaskGroup { tasks in
                try await server.executeThenClose { connections in
                    for try await connection in connections {
                        tasks.addTask { await channel.handle(value: connection, logger: log) }
                    }
                }
            }
        } onGracefulShutdown: { [sockets] in
            // Remove the file while the socket still listens, because another daemon may replace the file afterwards.
            sockets.removeFile()
            server.channel.close(promise: nil)
        }
    }
}

/// A sink that counts events and passes them to the streams.
extension EventServer: EventSink {
    package func send(_ event: Event) {
        feed.publish(event)
        let time = now()
        counts.withLock { $0.count(event, at: time) }
    }
}
