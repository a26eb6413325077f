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

    /// Where events come in: each must be given to all of these, in order, behind other sinks.
    package var sinks: [any EventSink] { [feed, tally] }
    let feed: LiveFeed
    private let tally: EventTally
    private let parts: StatusParts
    /// Who asks that the configuration be taken anew.
    package let reloads = ReloadRequests()
    /// A name, for a service group describes its services.
    package let description = "interface"

    private let settings: ListenSettings
    private let journal: EventJournal
    private let source: String
    private let now: @Sendable () -> EventTime
    private let log: Logger
    private let limits: ConnectionLimits
    private let socket: UnixSocket
    let onSocket: CurrentAccess
    /// Nil where it listens at the socket alone.
    let onHTTP: CurrentAccess?
    private let identity: ServerIdentity?
    private let users = UserNames()
    private let onListening: @Sendable (Int) -> Void

    /// Reads what the interface needs, and makes its socket: from here on clients can connect, and
    /// wait.
    ///
    /// - Parameters:
    ///   - settings: Where it is, and who may use it.
    ///   - handedOver: The sockets that the service manager made.
    ///   - journal: Where events are kept.
    ///   - source: The `source` of events of the daemon itself.
    ///   - now: Tells the time of day.
    ///   - parts: How the rest of the daemon is doing.
    ///   - limits: How many connections there may be, and how long nothing may move on one.
    ///   - log: Where it is said who reads events, and what goes wrong.
    ///   - onListening: Is told the port of `http`, once it listens there.
    /// - Throws: ``EventServerError``, `TokenError`, `ServerIdentityError`.
    package init(
        _ settings: ListenSettings, handedOver: HandedOverSockets, journal: EventJournal,
        source: String, now: @escaping @Sendable () -> EventTime, parts: StatusParts,
        limits: ConnectionLimits = EventServer.limits, log: Logger,
        onListening: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws {
        let access = try Access(settings, log: log)
        onSocket = CurrentAccess(access.onSocket)
        onHTTP = access.onHTTP.map(CurrentAccess.init)
        if let certificate = settings.certificateFile, let key = settings.keyFile {
            identity = try ServerIdentity(certificate: certificate, key: key)
        } else {
            identity = nil
        }
        if let http = settings.http, !http.isLoopback, settings.tokenFile == nil || identity == nil
        {
            throw EventServerError.openToOthers(http)
        }
        socket = try handedOver.unixSocket() ?? UnixSocket(at: settings.socket)
        self.settings = settings
        self.journal = journal
        self.source = source
        self.now = now
        self.log = log
        self.limits = limits
        self.onListening = onListening
        feed = LiveFeed(journal: journal)
        tally = EventTally(now: now)
        self.parts = parts
    }

    /// Serves until the service group it runs in shuts down: then clients get what there is, and
    /// their streams end.
    ///
    /// - Throws: ``EventServerError``.
    package func run() async throws {
        defer { socket.remove() }
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
        let bootstrap = ServerBootstrap(group: loop)
            .serverChannelOption(.backlog, value: 4096)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // Who holds nothing that is not taken falls behind in the journal instead.
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 8 << 10, high: 32 << 10))
        let connections = Connections(limits: limits)
        let file = try listener(onSocket, nil, comments, connections)
        var listening = [(file, try await bootstrap.bind(socket.descriptor) { file.setup($0) })]
        if let address = settings.http, let onHTTP {
            let http = try listener(onHTTP, identity, comments, connections)
            let channel = try await bind(bootstrap, address, http)
            onListening(channel.channel.localAddress?.port ?? address.port)
            listening.append((http, channel))
        }
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { tasks in
                for (listener, channel) in listening {
                    tasks.addTask { await listener.serve(channel) }
                }
            }
        } onGracefulShutdown: { [feed, channels = listening.map(\.1.channel)] in
            feed.finish()
            for channel in channels { channel.close(promise: nil) }
            connections.endWhereAtRest()
            loop.scheduleTask(in: Self.drainTime) { connections.endAll() }
        }
    }

    private func bind(
        _ bootstrap: ServerBootstrap, _ address: ListenAddress, _ listener: EventListener
    ) async throws -> EventListener.ServerChannel {
        do {
            return try await bootstrap.bind(host: address.boundHost, port: address.port) {
                listener.setup($0)
            }
        } catch let error as IOError {
            throw error.errnoCode == EADDRINUSE
                ? EventServerError.inUse("\(address)")
                : .system(
                    SystemCallError(
                        operation: "listen at", path: "\(address)", errno: error.errnoCode))
        }
    }

    private func listener(
        _ access: CurrentAccess, _ identity: ServerIdentity?, _ comments: StreamComments,
        _ connections: Connections
    ) throws -> EventListener {
        try EventListener(
            router: EventRouter(
                access: access, journal: journal, feed: feed, comments: comments,
                status: StatusReader(
                    parts: parts, tally: tally, feed: feed, journal: journal, now: now),
                reloads: reloads, source: source, now: now, users: users, log: log),
            limits: limits, connections: connections, identity: identity, log: log)
    }
}
