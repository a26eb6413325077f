import Events
import Glibc
import HTTPService
import Journal
import TestWaiting
import Testing

@testable import EventService

/// Many clients, of which some read slowly and some not at all.
@Suite(.serialized, .timeLimit(.minutes(10))) struct CrowdTests {
    /// The smallest that the kernel takes: a client that reads little holds the daemon back at once.
    private static let littleRoom: Int32 = 2304

    /// Waits on a thread of its own until something comes true.
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

    /// A client, and what it has read.
    private final class Client {
        let raw: RawClient
        let reading: StreamReading
        private(set) var bytes: [UInt8] = []
        /// How many bytes it takes at a time; none for one that does not read.
        let appetite: Int

        init(_ service: Service, _ format: StreamFormat, appetite: Int) {
            let isSmall = appetite < 1 << 16
            raw = RawClient(path: service.socket, room: isSmall ? CrowdTests.littleRoom : nil)
            reading = StreamReading(format)
            self.appetite = appetite
            raw.send(reading.request("/v1/events"))
        }

        deinit { raw.close() }

        /// Takes what there is, without waiting; gives whether there was something.
        func read() throws -> Bool {
            var waiting = pollfd(fd: raw.descriptor, events: Int16(POLLIN), revents: 0)
            guard appetite > 0, poll(&waiting, 1, 0) == 1 else { return false }
            let bytes = try #require(raw.take(appetite), "the daemon has closed it")
            self.bytes += bytes
            return true
        }

        /// Whether the number of an event has come, at the end of what did.
        func has(_ sequence: UInt64) -> Bool {
            let number = Array("\"\(Event.text(ofSequence: sequence))\"".utf8)
            return bytes.suffix(2_000).firstRange(of: number) != nil
        }

        /// What has come.
        func events() throws -> [String] {
            var reading = reading
            try reading.take(bytes)
            return reading.texts
        }
    }

    /// Twenty that take what comes get everything, in order, while 980 others are behind.
    ///
    /// Of those 600 do not read, and 380 take some bytes now and then.
    @Test func aThousandClientsDelayNobody() async throws {
        // All of it is one process: on a slow machine a round through the clients takes a while.
        let service = try Service(
            limits: ConnectionLimits(total: 2048, perPeer: 2048, writing: .patience))
        // Both ends of each connection are in this process, beside what other tests have open.
        var files = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        files.rlim_cur = files.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        let expected = (0..<1_000).map(Self.text)
        let (prompt, slow) = try await onItsOwnThread {
            let formats = [StreamFormat.lines, .serverSentEvents]
            let deaf = (0..<600).map { Client(service, formats[$0 % 2], appetite: 0) }
            let slow = (0..<380).map { Client(service, formats[$0 % 2], appetite: 20) }
            let prompt = (0..<20).map { Client(service, formats[$0 % 2], appetite: 1 << 16) }
            try Self.wait("1,000 streams are open") { service.server.feed.streams.count >= 1_000 }
            // Whoever publishes waits for nobody: there is no more than this loop.
            for text in expected { service.publish(text) }
            try Self.wait("the prompt ones have everything") {
                for client in prompt { while try client.read() {} }
                for client in slow { _ = try client.read() }
                return prompt.allSatisfy { $0.has(UInt64(expected.count)) }
            }
            withExtendedLifetime(deaf) {}
            return (try prompt.map { try $0.events() }, try slow.map { try $0.events() })
        }
        #expect(prompt.allSatisfy { $0 == expected })
        // Who is slow has the beginning, without a hole, and was not closed.
        #expect(slow.allSatisfy { expected.starts(with: $0) && $0.count < expected.count })
        try await service.stop()
    }

    /// Reads nothing until the daemon closes, takes what the kernel had, and comes again.
    @Test(arguments: [StreamFormat.lines, .serverSentEvents])
    func whoWasClosedForNotReadingGoesOnFromItsCursor(format: StreamFormat) async throws {
        let service = try Service(
            limits: ConnectionLimits(total: 10, perPeer: 10, writing: .milliseconds(300)))
        let expected = (0..<2_000).map(Self.text)
        let readings = try await onItsOwnThread {
            var reading = StreamReading(format)
            let raw = RawClient(path: service.socket)
            defer { raw.close() }
            raw.send(reading.request("/v1/events"))
            try Self.wait("the stream is open") { !service.server.feed.streams.isEmpty }
            for text in expected { service.publish(text) }
            try Self.wait("the stream is closed") { service.server.feed.streams.isEmpty }
            while let bytes = raw.take(1 << 16) { try reading.take(bytes) }

            var readings = [reading]
            var missing = expected.count - reading.events.count
            // On a busy machine it may be closed again for reading too slowly.
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
            return readings
        }
        #expect(!readings[0].events.isEmpty && readings.count > 1)
        #expect(readings.flatMap(\.texts) == expected)
        try await service.stop()
    }
}
