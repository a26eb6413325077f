import Dispatch
import Events
import Journal
import TestFolders
import TestWaiting
import Testing
import WireText

@testable import EventService

/// Tests the creation of consumers, their readers, and their cursors.
@Suite(.blocking, .serialized, .timeLimit(.minutes(10))) struct ConsumerTests {
    private func cursor(_ service: Service, _ name: String = "till") async throws -> UInt64? {
        try await service.journal.cursor(of: .consumer(name))?.sequence
    }

    @Test func askingAloneMakesNoConsumer() async throws {
        let service = try Service()
        for number in 0..<50 {
            let stream = try await service.stream("/v1/events?consumer=c\(number)") {
                $0.contains("\r\n\r\n")
            }
            #expect(stream.hasPrefix("HTTP/1.1 200"))
            _ = try await service.answer("HEAD", "/v1/events?consumer=h\(number)")
            _ = try await service.answer("GET", "/v1/consumers/g\(number)")
        }
        try await waitUntil("the end of all streams") { service.server.feed.streams == 0 }
        try await service.journal.committed(service.publish("a"))
        #expect(try await service.journal.cursors().isEmpty)
        try await service.stop()
    }

    /// The daemon sends an event again if the client dies before acknowledging it.
    @Test func aNewConsumerBeginsAtTheEndAndIsKnownFromItsFirstEventOn() async throws {
        let service = try Service()
        try await service.journal.committed(service.publish("old"))
        async let first = service.stream("/v1/events?consumer=till") { $0.contains("new") }
        try await service.waitForStreams(1)
        service.publish("new")
        #expect(try await !first.contains("old"))
        try await waitUntil("cursor 1") { try await cursor(service) == 1 }
        let again = try await service.stream("/v1/events?consumer=till") { $0.contains("new") }
        #expect(!again.contains("old"))
        try await service.stop()
    }

    @Test func theCursorPassesWhatTheFilterLeavesOut() async throws {
        let service = try Service()
        // Some events are in the journal before the stream begins, and some arrive while it is open.
        for _ in 0..<500 { service.publish("x", type: .scannerConnected) }
        _ = try await service.answer("PUT", "/v1/consumers/till", content: #"{"cursor":"oldest"}"#)
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let stream = Task {
            try await service.stream("/v1/events?consumer=till&types=keywedge.scan") { text in
                if text.contains("latter") { arrival.yield() }
                return false
            }
        }
        try await waitUntil("cursor 500") { try await cursor(service) == 500 }
        try await service.journal.committed(service.publish("x", type: .scannerConnected))
        try await waitUntil("cursor 501") { try await cursor(service) == 501 }

        // The cursor stays before a scan that is not acknowledged, even if excluded events follow.
        service.publish("former")
        service.publish("x", type: .scannerConnected)
        service.publish("latter")
        for await _ in arrivals { break }
        // A move that the stream has begun would be written no later than this event.
        try await service.journal.committed(service.publish("x", type: .scannerConnected))
        #expect(try await cursor(service) == 501)

        // After both scans are acknowledged, the cursor also passes the event after them.
        let answer = try await service.answer(
            "PUT", "/v1/consumers/till",
            content: #"{"cursor":"\#(service.journal.epoch)-504"}"#)
        #expect(answer.contains("-504"))
        try await waitUntil("cursor 505") { try await cursor(service) == 505 }
        let lag = try await service.journal.survey().readers[.consumer("till")]
        #expect(lag?.events == 0)
        try await service.stop()
        #expect(try await stream.value.contains("former"))
    }

    @Test func aSecondReaderTakesOverAndTheFirstIsTold() async throws {
        let service = try Service()
        let client = EventClient(socket: service.socket)
        try await client.move("till", to: nil)
        let first = Task {
            try await client.read(from: .consumer("till"), EventFilter()) { _ in }
        }
        try await service.waitForStreams(1)
        async let second = service.stream("/v1/events?consumer=till") { $0.contains("after") }
        await #expect(throws: ConsumerDisplaced.self) { try await first.value }
        service.publish("after")
        #expect(try await second.contains("after"))
        #expect(
            service.log.contains(
                "a client on the unix socket takes over from another that read as consumer \"till\""
            ))
        try await waitUntil("the end of both streams") { service.server.feed.streams == 0 }
        // Streams of different consumers, and streams without a consumer, do not displace each other.
        async let other = service.stream("/v1/events?consumer=other") { $0.contains("last") }
        async let unnamed = service.stream("/v1/events") { $0.contains("last") }
        try await service.waitForStreams(2)
        service.publish("last")
        #expect(try await other.contains("last"))
        #expect(try await unnamed.contains("last"))
        try await service.stop()
    }

    @Test func aConsumerCanBeRemoved() async throws {
        let service = try Service()
        let client = EventClient(socket: service.socket)
        try await client.move("till", to: nil)
        try await client.forget("till")
        #expect(try await service.journal.cursors().isEmpty)
        await #expect(throws: EventClientError.self) { try await client.forget("till") }
        #expect(service.log.contains("a client on the unix socket removes the consumer \"till\""))
        let sink = try await service.answer("DELETE", "/v1/sinks/erp")
        #expect(sink.hasPrefix("HTTP/1.1 405"))
        try await service.stop()
    }

    /// Blocks the journal's thread in a call, as a disk that hangs does.
    @Test(arguments: [
        ("PUT", "/v1/consumers/till"), ("DELETE", "/v1/consumers/till"), ("GET", "/v1/sinks/erp"),
        ("PUT", "/v1/sinks/erp"), ("GET", "/v1/events?after=oldest"),
    ])
    func aRequestDoesNotWaitForADiskThatHangs(method: String, target: String) async throws {
        let service = try Service(patience: .milliseconds(50))
        _ = service.journal.requests.join("erp")
        let gate = DispatchSemaphore(value: 0)
        let (beginnings, began) = AsyncStream<Void>.makeStream()
        service.journal.ping {
            began.yield()
            gate.wait()
        }
        for await _ in beginnings { break }
        let answer = try await service.answer(
            method, target, content: method == "PUT" ? #"{"cursor":"newest"}"# : nil)
        #expect(answer.hasPrefix("HTTP/1.1 503 "))
        #expect(answer.contains("journal-silent"))
        gate.signal()
        try await service.stop()
    }

    /// Every user of the box can reach loopback.
    @Test(arguments: [
        ("PUT", "/v1/consumers/till"), ("DELETE", "/v1/consumers/till"), ("PUT", "/v1/sinks/erp"),
        ("POST", "/v1/reload"), ("GET", "/v1/events?consumer=till"),
    ])
    func withoutATokenLoopbackIsForReading(method: String, target: String) async throws {
        let service = try Service(http: "127.0.0.1:0")
        let port = try await service.port()
        try await EventClient(socket: service.socket).move("till", to: nil)
        let answer = try await service.answer(
            method, target, host: "localhost:\(port)", on: port,
            content: method == "PUT" ? #"{"cursor":"newest"}"# : nil)
        #expect(answer.hasPrefix("HTTP/1.1 403"))
        #expect(answer.contains("read-only"))
        #expect(try await cursor(service) == 0)
        for target in ["/v1/consumers/till", "/v1/status", "/metrics"] {
            let read = try await service.answer("GET", target, host: "localhost:\(port)", on: port)
            #expect(read.hasPrefix("HTTP/1.1 200"))
        }
        try await service.stop()
    }

    @Test func withATokenItMayChangeAndTheLogSaysWho() async throws {
        let files = try TemporaryFolder()
        try files.write("abcdefghijklmnop1234\n", to: "token")
        let service = try Service(http: "127.0.0.1:0", token: files.path("token"))
        let port = try await service.port()
        let answer = try await service.answer(
            "PUT", "/v1/consumers/till", ["Authorization: Bearer abcdefghijklmnop1234"],
            host: "localhost:\(port)", on: port, content: #"{"cursor":"oldest"}"#)
        #expect(answer.hasPrefix("HTTP/1.1 200"))
        let cursor = "\(service.journal.epoch)-0"
        #expect(
            service.log.contains("a client at 127.0.0.1 moves the consumer \"till\" to \(cursor)"))
        try await service.stop()
    }
}
