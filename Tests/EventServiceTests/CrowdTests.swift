import Events
import Glibc
import HTTPService
import Journal
import TestWaiting
import Testing

@testable import EventService

/// Tests many clients, some of which read slowly or not at all.
@Suite(.blocking, .serialized, .timeLimit(.minutes(10))) struct CrowdTests {
    /// The smallest buffer that the kernel permits, so that a slow client blocks the daemon's writes at once.
    private static let littleRoom: Int32 = 2304

    /// Blocks the test's thread until a condition holds.
    private static func wait(_ what: Comment, until condition: () throws -> Bool) throws {
        let end = ContinuousClock.now + .patience
        while try !condition() {
            try #require(ContinuousClock.now < end, what)
            usleep(1_000)
        }
    }

    private static func text(_ number: Int) -> String {
        "\(number) " + String(repeating: "x", count: 500)
    }

    /// A client, and the bytes it has read.
    private final class Client {
        let raw: RawClient
        let reading: StreamReading
        private(set) var bytes: [UInt8] = []
        /// The number of bytes that it reads at a time; 0 for a client that does not read.
        let appetite: Int

        init(_ service: Service, _ format: StreamFormat, appetite: Int) {
            let isSmall = appetite < 1 << 16
            raw = RawClient(path: service.socket, room: isSmall ? CrowdTests.littleRoom : nil)
            reading = StreamReading(format)
            self.appetite = appetite
            raw.send(reading.request("/v1/events"))
        }

        deinit { raw.close() }

        /// Reads the available bytes without waiting; returns whether there were any.
        func read() throws -> Bool {
            var waiting = pollfd(fd: raw.descriptor, events: Int16(POLLIN), revents: 0)
            guard appetite > 0, poll(&waiting, 1, 0) == 1 else { return false }
            let bytes = try #require(raw.take(appetite), "the daemon has closed it")
            self.bytes += bytes
            return true
        }

        /// Whether the last bytes read contain an event's number.
        func has(_ sequence: UInt64) -> Bool {
            let number = Array("\"\(Event.text(ofSequence: sequence))\"".utf8)
            return bytes.suffix(2_000).firstRange(of: number) != nil
        }

        /// The events received so far.
        func events() throws -> [String] {
            var reading = reading
            try reading.take(bytes)
            return reading.texts
        }
    }

    /// Twenty prompt clients get everything in order, while 980 others fall behind.
    ///
    /// 600 of those do not read, and 380 read some bytes now and then.
    @Test func aThousandClientsDelayNobody() async throws {
        // On a slow machine, one round through all clients takes a while, so the limit for writing is long.
        let service = try Service(
            limits: ConnectionLimits(total: 2048, perPeer: 2048, writing: .patience))
        // This process holds both ends of each connection, besides the files of other tests.
        var files = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        files.rlim_cur = files.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        let expected = (0..<1_000).map(Self.text)
        let formats = [StreamFormat.lines, .serverSentEvents]
        let deaf = (0..<600).map { Client(service, formats[$0 % 2], appetite: 0) }
        let slow = (0..<380).map { Client(service, formats[$0 % 2], appetite: 20) }
        let prompt = (0..<20).map { Client(service, formats[$0 % 2], appetite: 1 << 16) }
        try Self.wait("1,000 streams are open") { service.server.feed.streams >= 1_000 }
        // Publishing never waits for clients, so a plain loop is enough.
        for text in expected { service.publish(text) }
        try Self.wait("the prompt ones have everything") {
            for client in prompt { while try client.read() {} }
            for client in slow { _ = try client.read() }
            return prompt.allSatisfy { $0.has(UInt64(expected.count)) }
        }
        #expect(try prompt.allSatisfy { try $0.events() == expected })
        // Slow clients have the beginning without gaps, and were not disconnected.
        let beginnings = try slow.map { try $0.events() }
        #expect(beginnings.allSatisfy { expected.starts(with: $0) && $0.count < expected.count })
        withExtendedLifetime(deaf) {}
        try await service.stop()
    }

    /// The client reads nothing until the daemon closes the connection, then reads the kernel's buffer and reconnects.
    @Test(arguments: [StreamFormat.lines, .serverSentEvents])
    func whoWasClosedForNotReadingGoesOnFromItsCursor(format: StreamFormat) async throws {
        let service = try Service(
            limits: ConnectionLimits(total: 10, perPeer: 10, writing: .milliseconds(300)))
        let expected = (0..<2_000).map(Self.text)
        var reading = StreamReading(format)
        let raw = RawClient(path: service.socket)
        defer { raw.close() }
        raw.send(reading.request("/v1/events"))
        try Self.wait("the stream is open") { service.server.feed.streams > 0 }
        for text in expected { service.publish(text) }
        try Self.wait("the stream is closed") { service.server.feed.streams == 0 }
        while let bytes = raw.take(1 << 16) { try reading.take(bytes) }

        var readings = [reading]
        var missing = expected.count - reading.events.count
        // On a busy machine the daemon may close the connection again, because the client reads too slowly.
        while missing > 0 {
            var rest = StreamReading(format)
            let again = RawClient(path: service.socket)
            defer { again.close() }
            let cursor = readings.compactMap(\.last).last
            again.send(rest.request("/v1/events", after: cursor))
            while rest.events.count < missing, let bytes = again.take(1 << 16) {
                try rest.take(bytes)
            }
            missing -= rest.events.count
            readings.append(rest)
        }
        #expect(!readings[0].events.isEmpty && readings.count > 1)
        #expect(readings.flatMap(\.texts) == expected)
        try await service.stop()
    }
}
