import Events
import Foundation
import Glibc
import Journal
import TestFolders
import TestTexts
import Testing
import WireText

@testable import EventService

/// Tests that a stream delivers every event once, and resumes after the client's cursor.
@Suite(.serialized, .timeLimit(.minutes(10))) struct StreamTests {
    /// Reads a number of events with the typed client.
    private func read(
        _ service: Service, from start: StreamStart, _ count: Int,
        _ filter: EventFilter = EventFilter(),
        each: @escaping @Sendable (EventClient.Received) async throws -> Void = { _ in }
    ) async throws -> [EventClient.Received] {
        struct Enough: Error {}
        let client = EventClient(socket: service.socket)
        var received: [EventClient.Received] = []
        do {
            try await client.read(from: start, filter) { event in
                received.append(event)
                try await each(event)
                if received.count == count { throw Enough() }
            }
        } catch is Enough {}
        return received
    }

    private func texts(_ events: [EventClient.Received]) -> [String] {
        events.compactMap { Event(line: $0.line)?.data["text"]?.string }
    }

    @Test func whatWasBeforeAndWhatComesMeetWithoutHoleOrDouble() async throws {
        let service = try Service()
        let before = (0..<500).map { "before \($0)" }
        for text in before { service.publish(text) }
        let after = (0..<500).map { "after \($0)" }
        let events = try await read(service, from: .oldest, 1000) { event in
            // The rest is published while the first events are being sent.
            guard event.cursor.sequence == 1 else { return }
            for text in after { service.publish(text) }
        }
        #expect(texts(events) == before + after)
        #expect(events.map(\.cursor.sequence) == events.map(\.cursor.sequence).sorted())
        try await service.stop()
    }

    @Test func ofAJournalThatWasDamagedAtTheStartNothingIsLeftOut() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        let earlier = try EventJournal(opening: JournalSettings(file: path))
        let before = (1...300).map { "before \($0)" }
        for text in before {
            let event = Event(
                id: text, source: "/keywedge/test", type: .scan,
                time: EventTime(microsecondsSince1970: Int64(Glibc.time(nil)) * 1_000_000),
                sequence: earlier.nextSequence(), data: ["text": .string(text)])
            earlier.append(JournalEntry(event))
        }
        let start = Cursor(epoch: earlier.epoch, sequence: 0)
        await earlier.close()
        // Overwrites SQLite's application id, so that the file is no longer a journal.
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: 68)
        try file.write(contentsOf: Data([0]))
        try file.close()
        let service = try Service(in: folder)
        try await service.journal.committed(service.publish("new"))
        let events = try await read(service, from: .after(start), 301)
        #expect(texts(events) == before + ["new"])
        try await service.stop()
    }

    @Test func aStreamThatFellBehindTheFeedGoesOnFromTheJournal() async throws {
        let service = try Service()
        service.publish("first")
        let count = LiveFeed.countLimit + 2000
        let events = try await read(service, from: .oldest, count + 1) { event in
            guard event.cursor.sequence == 1 else { return }
            for number in 0..<count { service.publish("\(number)") }
        }
        #expect(texts(events) == ["first"] + (0..<count).map { "\($0)" })
        try await service.stop()
    }

    @Test func aClientGoesOnBehindItsLastEvent() async throws {
        let service = try Service()
        for text in ["a", "b", "c"] { service.publish(text) }
        let first = try await read(service, from: .oldest, 2)
        let rest = try await read(service, from: .after(first[1].cursor), 1)
        #expect(texts(rest) == ["c"])
        // The `Last-Event-ID` header, which browsers send, overrides `after` in the address.
        let stream = try await service.stream(
            "/v1/events?after=oldest",
            ["Accept: text/event-stream", "Last-Event-ID: \(first[1].cursor)"]
        ) { $0.contains("\"c\"") }
        #expect(!stream.contains("\"a\"") && !stream.contains("\"b\""))
        #expect(try #/\r\nretry: (1[5-9]|2[0-5])[0-9]{2}\n\n/#.firstMatch(in: stream) != nil)
        #expect(stream.lowercased().contains("cache-control: no-store"))
        #expect(stream.lowercased().contains("content-type: text/event-stream"))
        #expect(stream.contains("id: \(service.journal.epoch)-3\ndata: {"))
        try await service.stop()
    }

    @Test func aConsumerGoesOnWhereItsCursorIs() async throws {
        let service = try Service()
        let client = EventClient(socket: service.socket)
        for text in ["a", "b", "c"] { service.publish(text) }
        try await client.move("till", to: nil)
        let first = try await read(service, from: .consumer("till"), 2)
        #expect(texts(first) == ["a", "b"])
        // Reading alone does not move the cursor.
        #expect(texts(try await read(service, from: .consumer("till"), 1)) == ["a"])
        #expect(try await client.move("till", to: first[0].cursor) == first[0].cursor)
        #expect(texts(try await read(service, from: .consumer("till"), 1)) == ["b"])
        let answer = try await service.answer("GET", "/v1/consumers/till")
        #expect(answer.contains("\"cursor\":\"\(first[0].cursor)\""))
        try await service.stop()
    }

    @Test(arguments: [
        ("{\"cursor\":\"zzzzzzzzzzzz-1\"}", "409"), ("{\"cursor\":\"x\"}", "400"), ("{}", "400"),
        ("[", "400"), ("{\"cursor\":\"oldest\",\"a\":1}", "400"),
    ])
    func aCursorThatIsNoneIsRefused(content: String, status: String) async throws {
        let service = try Service()
        let answer = try await service.answer("PUT", "/v1/consumers/till", content: content)
        #expect(answer.hasPrefix("HTTP/1.1 \(status)"))
        let ahead = try await service.answer(
            "PUT", "/v1/consumers/till", content: "{\"cursor\":\"\(service.journal.epoch)-99\"}")
        #expect(ahead.hasPrefix("HTTP/1.1 409"))
        let beyond = try await service.answer(
            "PUT", "/v1/consumers/till",
            content: "{\"cursor\":\"\(service.journal.epoch)-\(UInt64.max)\"}")
        #expect(beyond.hasPrefix("HTTP/1.1 4"))
        try await service.stop()
    }

    @Test func onlyWhatTheFilterWantsComes() async throws {
        let service = try Service()
        service.publish("a", type: .scanRejected)
        service.publish("b")
        let events = try await read(
            service, from: .oldest, 1, EventFilter(types: [.scan], scanners: ["counter"]))
        #expect(texts(events) == ["b"])
        try await service.stop()
    }

    @Test func hostileTextsComeByteForByteOnOneLineEach() async throws {
        let service = try Service()
        let hostile = HostileTexts.all
        for text in hostile { service.publish(text) }
        let events = try await read(service, from: .oldest, hostile.count)
        #expect(texts(events) == hostile)
        let page = try await service.journal.page(after: nil, limit: hostile.count)
        #expect(events.map(\.line) == page.entries.map(\.line))
        let last = "\"sequence\":\"\(Event.text(ofSequence: UInt64(hostile.count)))\""
        let lines = try await service.stream("/v1/events?after=oldest") {
            $0.contains(last) && $0.hasSuffix("\n\r\n")
        }
        #expect(
            lines.utf8.split(separator: 0x0A).count { $0.first == UInt8(ascii: "{") }
                == hostile.count)
        try await service.stop()
    }

    /// Puts hostile texts into each part of a request that its answer quotes: at `*`, or in the content.
    @Test(arguments: [
        "GET /v1/events?types=* HTTP/1.1", "GET /v1/events?after=* HTTP/1.1",
        "GET /v1/events?consumer=* HTTP/1.1", "GET /v1/events?*=1 HTTP/1.1",
        "GET /v1/consumers/* HTTP/1.1", "PUT /v1/sinks/* HTTP/1.1", "GET /* HTTP/1.1",
        "PUT /v1/consumers/till HTTP/1.1",
    ])
    func hostileRequestsAreAnsweredWithoutWhatTheyAsk(line: String) async throws {
        let service = try Service()
        let requests = HostileTexts.all.map { text in
            var content = ""
            if !line.contains("*") {
                content = "{\"cursor\":\(JSONWriter.text(of: .string(text)))}"
            }
            return line.replacing("*", with: PercentEncoding.encoded(text))
                + "\r\nHost: localhost\r\nContent-Length: \(content.utf8.count)\r\n\r\n" + content
        }
        // Sends 100 at a time, because the answers to more might not fit into the socket's buffer.
        for start in stride(from: 0, to: requests.count, by: 100) {
            let some = requests[start..<min(start + 100, requests.count)]
            let answers = try await service.exchange(some.joined()) { text in
                text.components(separatedBy: "HTTP/1.1 4").count > some.count && text.hasSuffix("}")
            }
            #expect(answers.components(separatedBy: "HTTP/1.1 ").count - 1 == some.count)
            let leaks = answers.unicodeScalars.filter {
                $0 != "\r" && $0 != "\n" && Escaping.isUnsafe($0)
            }
            #expect(leaks.isEmpty, "\(leaks)")
        }
        #expect(service.log == [])
        try await service.stop()
    }

    @Test func atTheEndStreamsGetTheLastEventAndEnd() async throws {
        let service = try Service()
        async let text = service.stream("/v1/events") { _ in false }
        try await service.waitForStreams(1)
        service.publish("the last", type: .stopping)
        try await service.stop()
        #expect(try await text.contains("the last"))
        #expect(try await text.hasSuffix("0\r\n\r\n"))
    }
}
