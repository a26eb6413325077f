package import Events
import Glibc
package import HTTPService
package import Journal
package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import WireText

/// The daemon's own interface: its events, for programs and pages on this box, and elsewhere with a
/// token.
///
/// All of it happens on one thread beside the daemon's, which sleeps while nothing comes.
package final class EventServer: Service, CustomStringConvertible {
    /// A thousand clients, and some; all on the socket count as one peer.
    package static let limits = ConnectionLimits(total: 2048, perPeer: 2048)

    /// How long clients may take at the end for what they have not taken yet.
    private static let drainTime = TimeAmount.seconds(1)

    /// The sinks through which events come in: each gets every event, after the daemon's other sinks.
    package var sinks: [any EventSink] { [feed, tally] }
    let feed: LiveFeed
    private let tally: EventTally
    private let parts: StatusParts
    /// The requests to read the configuration again.
    package let reloads = ReloadRequests()
    /// A name, for a service group describes its services.
    package let description = "interface"

    private let journal: EventJournal
    private let source: String
    private let now: @Sendable () -> EventTime
    private let log: Logger
    private let limits: ConnectionLimits
    private let patience: Duration
    private let sockets: InterfaceSockets
    let onSocket: CurrentAccess
    /// Nil if it listens at the unix socket alone.
    let onHTTP: CurrentAccess?
    private let consumers: ConsumerReaders
    private let onListening: @Sendable (Int) -> Void

    /// Makes the interface; it answers once it runs.
    ///
    /// `source` is that of events of the daemon itself. The log gets who reads events and who changes
    /// something. A request waits for the journal's disk no longer than `patience`. `onListening` is
    /// called with the port of `http` when it answers there.
    package init(
        _ sockets: InterfaceSockets, journal: EventJournal, source: String,
        now: @escaping @Sendable () -> EventTime, parts: StatusParts,
        limits: ConnectionLimits = EventServer.limits, patience: Duration = .seconds(5),
        log: Logger, onListening: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.sockets = sockets
        onSocket = CurrentAccess(sockets.access.onSocket)
        onHTTP = sockets.access.onHTTP.map(CurrentAccess.init)
        self.journal = journal
        self.source = source
        self.now = now
        self.log = log
        self.limits = limits
        self.patience = patience
        self.onListening = onListening
        feed = LiveFeed(journal: journal)
        consumers = ConsumerReaders()
        tally = EventTally(now: now)
        self.parts = parts
    }

    /// Serves until its service group shuts down: then clients get the events that are left, and their
    /// streams end.
    ///
    /// - Throws: Errors of the sockets' event loop.
    package func run() async throws {
        defer { sockets.removeFile() }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        do {
            try await withTaskExecutorPreference(LoopExecutor(loop)) { try await serve(on: loop) }
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
        try? await group.shutdownGracefully()
    }

    private func serve(on loop: any EventLoop) async throws {
        feed.wakeStreams(on: loop)
        let comments = StreamComments(on: loop)
        let connections = Connections(limits: limits)
        func listener(
            _ socket: Int32, _ access: CurrentAccess, _ identity: ServerIdentity?
        ) async throws -> EventListener {
            try await EventListener(
                socket, on: loop, router: router(access, comments), connections: connections,
                identity: identity, log: log)
        }
        var listeners = [try await listener(sockets.unix, onSocket, nil)]
        if let tcp = sockets.tcp, let onHTTP {
            listeners.append(try await listener(tcp, onHTTP, sockets.identity))
            onListening(listeners[1].bound.localAddress?.port ?? 0)
        }
        try await withGracefulShutdownHandler { [listeners] in
            try await withThrowingDiscardingTaskGroup { tasks in
                for listener in listeners { tasks.addTask { try await listener.serve() } }
            }
        } onGracefulShutdown: { [feed, sockets, listeners] in
            feed.finish()
            // While it still listens: another daemon takes a file over only from one that does not.
            sockets.removeFile()
            for listener in listeners { listener.finish() }
            loop.scheduleTask(in: Self.drainTime) { connections.endAll() }
        }
    }

    private func router(_ access: CurrentAccess, _ comments: StreamComments) -> EventRouter {
        EventRouter(
            access: access, journal: journal, feed: feed, comments: comments, consumers: consumers,
            status: StatusReader(
                parts: parts, tally: tally, feed: feed, journal: journal, now: now),
            reloads: reloads, source: source, patience: patience, now: now, log: log)
    }
}
