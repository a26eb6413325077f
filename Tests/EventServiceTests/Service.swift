import Events
import Glibc
import HTTPService
import Journal
import Logging
import ServiceLifecycle
import Synchronization
import TestFolders
import TestWaiting
import Testing
import WireText

@testable import EventService

/// The daemon's HTTP interface on its own sockets, with events that a test publishes.
final class Service: Sendable {
    let folder: TemporaryFolder
    let socket: String
    let journal: EventJournal
    let server: EventServer
    private let group: ServiceGroup
    private let running: Task<Void, any Error>
    private let ports: AsyncStream<Int>
    private let lines = LogLines()

    var log: [String] { lines.all }

    /// Starts the interface, with a journal in `folder` or, if it is nil, in a new folder.
    ///
    /// `token`, `certificate` and `key` are paths of files.
    init(
        in folder: TemporaryFolder? = nil, http: String? = nil, hosts: [String] = [],
        origins: [String] = [], token: String? = nil, certificate: String? = nil,
        key: String? = nil, keep: JournalSettings.Keep = JournalSettings.Keep(),
        limits: ConnectionLimits = EventServer.limits, patience: Duration = .patience,
        parts: StatusParts = Service.parts()
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        socket = folder.path("s")
        journal = try EventJournal(
            opening: JournalSettings(file: folder.path("journal.sqlite"), keep: keep))
        let (ports, port) = AsyncStream<Int>.makeStream()
        self.ports = ports
        let log = Logger(label: "test") { [lines] _ in LogLines.Handler(lines: lines) }
        var settings = ListenSettings(socket: socket)
        settings.http = http.flatMap { ListenAddress($0) }
        (settings.hosts, settings.origins, settings.tokenFile) = (hosts, origins, token)
        (settings.certificateFile, settings.keyFile) = (certificate, key)
        server = EventServer(
            try InterfaceSockets(settings, handedOver: [], log: log), journal: journal,
            source: "/keywedge/test", now: { EventTime(microsecondsSince1970: 0) },
            parts: parts, limits: limits, patience: patience, log: log
        ) { port.yield($0) }
        group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [server], logger: log))
        running = Task { [group] in
            defer { port.finish() }
            try await group.run()
        }
    }

    /// Returns the status of a daemon without scanners, sources and sinks.
    static func parts() -> StatusParts {
        StatusParts(
            register: "test", version: "0", started: EventTime(microsecondsSince1970: 0))
    }

    /// Waits for the port of `http`; throws the error if the service ends before it listens.
    func port() async throws -> Int {
        for await port in ports { return port }
        try await running.value
        throw NotListening()
    }

    private struct NotListening: Error {}

    /// Publishes an event with this text, as the daemon does: to the live feed and to the journal.
    @discardableResult func publish(_ text: String, type: EventType = .scan) -> UInt64 {
        publish(["text": .string(text), "kind": "text"], type: type)
    }

    /// Publishes an event with this data, as the daemon does: to the live feed and to the journal.
    @discardableResult func publish(_ data: JSONObject, type: EventType) -> UInt64 {
        let sequence = journal.nextSequence()
        let event = Event(
            id: "e\(sequence)", source: "/keywedge/test/scanners/counter", type: type,
            // The event is dated now, as the daemon's events are.
            time: EventTime(microsecondsSince1970: Int64(Glibc.time(nil)) * 1_000_000),
            sequence: sequence,
            data: data)
        server.send(event)
        journal.append(JournalEntry(event))
        return sequence
    }

    /// Waits until at least `count` streams are open.
    func waitForStreams(_ count: Int) async throws {
        try await waitUntil("\(count) streams") { server.feed.streams >= count }
    }

    /// Shuts the interface down gracefully, and closes the journal.
    func stop() async throws {
        await group.triggerGracefulShutdown()
        try await running.value
        await journal.close()
    }

    /// Sends a request, and returns the bytes received until `isEnough` accepts them or the other side closes.
    ///
    /// The request goes to `port` or, if it is nil, over the unix socket.
    func exchange(
        _ request: String, on port: Int? = nil,
        until isEnough: @escaping @Sendable (String) -> Bool = { _ in false }
    ) async throws -> String {
        let socket = socket
        return try await withCheckedThrowingContinuation { continuation in
            do {
                try WaitingThread.start {
                    let raw = port.map { RawClient(port: $0) } ?? RawClient(path: socket)
                    defer { raw.close() }
                    raw.send(request)
                    var text = ""
                    while !isEnough(text), let piece = raw.receive() { text += piece }
                    continuation.resume(returning: text)
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    /// Sends a request on a connection of its own, and returns the whole response.
    func answer(
        _ method: String = "GET", _ target: String, _ fields: [String] = [], host: String? = nil,
        on port: Int? = nil, content: String? = nil
    ) async throws -> String {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host ?? "localhost")"] + fields
        if let content { lines.append("Content-Length: \(content.utf8.count)") }
        lines.append("Connection: close")
        return try await exchange(
            lines.joined(separator: "\r\n") + "\r\n\r\n" + (content ?? ""), on: port)
    }

    /// Opens a stream, and returns the text received until `isEnough` accepts it.
    func stream(
        _ target: String, _ fields: [String] = [], on port: Int? = nil, host: String = "localhost",
        until isEnough: @escaping @Sendable (String) -> Bool
    ) async throws -> String {
        let lines = ["GET \(target) HTTP/1.1", "Host: \(host)"] + fields
        return try await exchange(
            lines.joined(separator: "\r\n") + "\r\n\r\n", on: port, until: isEnough)
    }
}

/// A log handler that keeps its messages.
final class LogLines: Sendable {
    struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        init(lines: LogLines) { self.lines = lines }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.kept.withLock { $0.append(event.message.description) }
        }
    }

    private let kept = Mutex<[String]>([])
    var all: [String] { kept.withLock { $0 } }
}
