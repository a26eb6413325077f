import Events
import Foundation
import Glibc
import Journal
import TestFolders
import TestTexts
import Testing
import WireText

@testable import EventService

/// Streams of events: nothing missing, nothing twice, and nobody held up.
@Suite(.serialized, .timeLimit(.minutes(2))) struct StreamTests {
    /// Reads events by the typed client until there are so many.
    private func read(
        _ service: Service, from start: EventClient.Start, _ count: Int,
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

    /// The texts whose answer has a character in it that is never to leave as it is.
    private func leaks(
        of texts: [String], _ answer: (String) async throws -> String
    ) async rethrows -> [String] {
        var leaks: [String] = []
        for text in texts {
            let scalars = try await answer(text).unicodeScalars
            let isLeak = scalars.contains { $0 != "\r" && $0 != "\n" && Escaping.isUnsafe($0) }
            if isLeak { leaks.append(text) }
        }
        return leaks
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
            // The rest is published while the first of it is on its way.
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
        // The mark that says what the file is.
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: 68)
        try file.write(contentsOf: Data([0]))
        try file.close()
        let service = try Service(folder: folder)
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
        // As a browser says it, whatever the address says.
        let stream = try await service.stream(
            "/v1/events?after=oldest",
            ["Accept: text/event-stream", "Last-Event-ID: \(first[1].cursor)"]
        ) { $0.contains("\"c\"") }
        #expect(!stream.contains("\"a\"") && !stream.contains("\"b\""))
        #expect(stream.contains("retry: 2000\n\n"))
        #expect(stream.lowercased().contains("cache-control: no-store"))
        #expect(stream.lowercased().contains("content-type: text/event-stream"))
        #expect(stream.contains("id: \(service.journal.epoch)-3\ndata: {"))
        try await service.stop()
    }

    @Test func anUnknownEpochIsToldAsAGapAndThenTheOldest() async throws {
        let service = try Service()
        service.publish("a")
        let foreign = try #require(Cursor("zzzzzzzzzzzz-77"))
        let events = try await read(service, from: .after(foreign), 2)
        let gap = try #require(Event(line: events[0].line))
        #expect(gap.type == .gap)
        #expect(gap.data["reason"]?.string == "unknown-epoch")
        #expect(gap.data["after"]?.string == "zzzzzzzzzzzz-77")
        #expect(texts([events[1]]) == ["a"])
        try await service.stop()
    }

    @Test func aConsumerGoesOnWhereItsCursorIs() async throws {
        let service = try Service()
        let client = EventClient(socket: service.socket)
        for text in ["a", "b", "c"] { service.publish(text) }
        try await client.move("till", to: .oldest)
        let first = try await read(service, from: .consumer("till"), 2)
        #expect(texts(first) == ["a", "b"])
        // Reading alone moves nothing.
        #expect(texts(try await read(service, from: .consumer("till"), 1)) == ["a"])
        #expect(try await client.move("till", to: .after(first[0].cursor)) == first[0].cursor)
        #expect(texts(try await read(service, from: .consumer("till"), 1)) == ["b"])
        let answer = try await service.answer("GET", "/v1/consumers/till")
        #expect(answer.contains("\"cursor\":\"\(first[0].cursor)\""))
        try await service.stop()
    }

    @Test func aNewConsumerBeginsAtTheEndAndIsKnownFromThenOn() async throws {
        let service = try Service()
        let old = service.publish("old")
        try await service.journal.committed(old)
        _ = try await service.answer("HEAD", "/v1/events?consumer=till")
        service.publish("new")
        #expect(texts(try await read(service, from: .consumer("till"), 1)) == ["new"])
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

    @Test func hostileRequestsAreAnsweredWithoutWhatTheyAsk() async throws {
        let service = try Service()
        let leaks = try await leaks(of: HostileTexts.all) { text in
            let answer = try await service.answer(
                "GET", "/v1/events?types=" + PercentEncoding.encoded(text))
            #expect(answer.hasPrefix("HTTP/1.1 4"))
            return answer
        }
        #expect(leaks == [])
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

    /// A thousand clients: some read nothing, some little; one that reads gets all, and whoever
    /// publishes is not held up by any of them.
    @Test func aThousandClientsDelayNobody() async throws {
        let service = try Service()
        // Both ends of each connection are in this process.
        var files = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        files.rlim_cur = min(8192, files.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        let stuck = (0..<1000).map { _ in RawClient(path: service.socket) }
        defer { for client in stuck { client.close() } }
        for client in stuck {
            client.send("GET /v1/events HTTP/1.1\r\nHost: a\r\n\r\n")
        }
        try await service.waitForStreams(1000)
        service.publish("first")
        let count = 2000
        let text = String(repeating: "x", count: 500)
        let events = try await read(service, from: .oldest, count + 1) { event in
            guard event.cursor.sequence == 1 else { return }
            for number in 0..<count { service.publish("\(number) \(text)") }
        }
        #expect(events.count == count + 1)
        try await service.stop()
    }
}
