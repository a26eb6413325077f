import Events
import Glibc
import HTTPService
import Journal
import Logging
import ServiceLifecycle
import TestFolders
import Testing
import WireText

@testable import EventService

/// A daemon's interface on sockets of its own, with events that a test gives it.
final class Service: Sendable {
    let folder: TemporaryFolder
    let socket: String
    let journal: EventJournal
    let server: EventServer
    private let group: ServiceGroup
    private let running: Task<Void, any Error>
    private let ports: AsyncStream<Int>

    /// Starts it, in a folder that may have a journal.
    init(
        http: String? = nil, hosts: [String] = [], origins: [String] = [], token: String? = nil,
        keep: JournalSettings.Keep = JournalSettings.Keep(), folder: TemporaryFolder? = nil
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        socket = folder.path("s")
        journal = try EventJournal(
            opening: JournalSettings(file: folder.path("journal.sqlite"), keep: keep))
        let (ports, port) = AsyncStream<Int>.makeStream()
        self.ports = ports
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        server = try EventServer(
            ListenSettings(
                socket: socket, http: http.flatMap { ListenAddress($0) }, hosts: hosts,
                origins: origins, tokenFile: token),
            handedOver: HandedOverSockets { _ in nil }, journal: journal,
            source: "/keywedge/test", now: { EventTime(microsecondsSince1970: 0) }, log: log
        ) { port.yield($0) }
        group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [server], logger: log))
        running = Task { [group] in try await group.run() }
    }

    /// The port of `http`.
    func port() async -> Int {
        for await port in ports { return port }
        return 0
    }

    /// Publishes an event as the daemon does: to the feed at once, and to the journal.
    @discardableResult func publish(_ text: String, type: EventType = .scan) -> UInt64 {
        let sequence = journal.nextSequence()
        let event = Event(
            id: "e\(sequence)", source: "/keywedge/test/scanners/counter", type: type,
            // Of today: what is old is not kept.
            time: EventTime(microsecondsSince1970: Int64(Glibc.time(nil)) * 1_000_000),
            sequence: sequence,
            data: ["text": .string(text), "kind": "text"])
        _ = server.feed.sendAtOnce(event)
        journal.append(JournalEntry(event))
        return sequence
    }

    /// Waits until so many streams are open.
    func waitForStreams(_ count: Int) async throws {
        for _ in 0..<6_000 where server.feed.streams.count < count {
            try await Task.sleep(for: .milliseconds(5))
        }
        let open = server.feed.streams.count
        try #require(open >= count, "\(open) of \(count) streams were opened")
    }

    /// Ends it in order.
    func stop() async throws {
        await group.triggerGracefulShutdown()
        try await running.value
        await journal.close()
    }

    /// Sends a request over the unix socket, and gives the beginning of what comes back, up to where
    /// `isEnough` says so or the other side closes.
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

    /// The answer to a request that asks to be the last on its connection.
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

    /// What a stream sends until something of it fits.
    func stream(
        _ target: String, _ fields: [String] = [], on port: Int? = nil, host: String = "localhost",
        until isEnough: @escaping @Sendable (String) -> Bool
    ) async throws -> String {
        let lines = ["GET \(target) HTTP/1.1", "Host: \(host)"] + fields
        return try await exchange(
            lines.joined(separator: "\r\n") + "\r\n\r\n", on: port, until: isEnough)
    }
}

/// A connection without a library, whose reads end after twenty seconds.
final class RawClient {
    private let descriptor: Int32

    init(path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        connect(&address)
    }

    init(port: Int) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        connect(&address)
    }

    private func connect<Address>(_ address: inout Address) {
        var time = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func receive() -> String? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    func close() { Glibc.close(descriptor) }
}
