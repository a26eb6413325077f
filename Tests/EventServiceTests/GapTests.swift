import Events
import Foundation
import Journal
import TestFolders
import Testing
import WireText

@testable import EventService

/// Tests that clients learn about events that no longer exist.
@Suite(.serialized, .timeLimit(.minutes(10))) struct GapTests {
    private static let formats = [StreamFormat.lines, .serverSentEvents]

    /// Reads the first events after a cursor.
    private func read(
        _ service: Service, _ format: StreamFormat, _ target: String, after cursor: Cursor? = nil,
        count: Int
    ) async throws -> StreamReading {
        let reading = StreamReading(format)
        let text = try await service.exchange(reading.request(target, after: cursor)) { text in
            var reading = reading
            try? reading.take(Array(text.utf8))
            return reading.events.count >= count
        }
        var all = reading
        try all.take(Array(text.utf8))
        return all
    }

    private func expectGap(
        _ event: Event?, _ reason: String, after cursor: Cursor, first: UInt64, last: UInt64,
        _ service: Service
    ) {
        #expect(event?.type == .gap)
        #expect(event?.source == "/keywedge/test")
        #expect(
            event?.data == [
                "reason": .string(reason), "after": .string("\(cursor)"),
                "first": .string(Event.text(ofSequence: first)),
                "last": .string(Event.text(ofSequence: last)),
                "epoch": .string("\(service.journal.epoch)"),
            ])
    }

    @Test(arguments: formats)
    func whatRetentionTookIsToldWithItsRangeAndThenTheOldestComes(
        format: StreamFormat
    ) async throws {
        let folder = try TemporaryFolder()
        let keep = JournalSettings.Keep(days: 30, megabytes: 1)
        let first = try Service(in: folder, keep: keep)
        let text = String(repeating: "x", count: 900)
        // The journal drops surplus events gradually.
        while try await first.journal.oldest().sequence < 1_000 {
            for _ in 0..<99 { first.publish(text) }
            try await first.journal.committed(first.publish(text))
        }
        try await first.stop()
        // Restarts, because the daemon's memory holds its newest events even if the journal has dropped them.
        let service = try Service(in: folder, keep: keep)
        let start = Cursor(epoch: service.journal.epoch, sequence: 7)
        let reading = try await read(service, format, "/v1/events?after=\(start)", count: 2)
        let oldest = try await service.journal.oldest().sequence
        expectGap(reading.events[0], "retention", after: start, first: 8, last: oldest, service)
        #expect(reading.events[1].sequence == oldest + 1)
        // A client that starts with the oldest event misses nothing.
        let all = try await read(service, format, "/v1/events?after=oldest", count: 1)
        #expect(all.events[0].sequence == oldest + 1)
        _ = try await service.answer(
            "PUT", "/v1/consumers/till", content: "{\"cursor\":\"oldest\"}")
        let till = try await read(service, format, "/v1/events?consumer=till", count: 1)
        #expect(till.events[0].sequence == oldest + 1)
        try await service.stop()
    }

    @Test(arguments: formats)
    func anUnknownEpochIsToldAndThenTheOldestComes(format: StreamFormat) async throws {
        let service = try Service()
        for text in ["a", "b"] { service.publish(text) }
        let foreign = try #require(Cursor("zzzzzzzzzzzz-77"))
        let reading = try await read(service, format, "/v1/events", after: foreign, count: 3)
        #expect(reading.events[0].type == .gap)
        #expect(reading.events[0].data["reason"] == "unknown-epoch")
        #expect(reading.events[0].data["after"] == "zzzzzzzzzzzz-77")
        #expect(reading.texts == ["a", "b"])
        // The stream continues in the current epoch.
        #expect(reading.last == Cursor(epoch: service.journal.epoch, sequence: 2))
        try await service.stop()
    }

    @Test(arguments: [3, UInt64(Int64.max)], formats)
    func aCursorAheadOfTheEndIsToldAndThenTheNextComes(
        sequence: UInt64, format: StreamFormat
    ) async throws {
        let service = try Service()
        service.publish("a")
        service.publish("b")
        let ahead = Cursor(epoch: service.journal.epoch, sequence: sequence)
        let told = try await read(service, format, "/v1/events?after=\(ahead)", count: 1)
        expectGap(told.events.first, "ahead", after: ahead, first: 3, last: 2, service)
        service.publish("c")
        let rest = try await read(service, format, "/v1/events", after: told.last, count: 1)
        #expect(rest.texts == ["c"])
        try await service.stop()
    }

    @Test(arguments: formats)
    func theEpochOfAReplacedJournalGoesOnAndWhatWasLostIsTold(
        format: StreamFormat
    ) async throws {
        let folder = try TemporaryFolder()
        let first = try Service(in: folder)
        let ended = first.journal.epoch
        for number in 1...100 { first.publish("text-\(number).") }
        try await first.journal.committed(100)
        try await first.stop()
        try damage("text-40.", in: folder.path("journal.sqlite"))

        let service = try Service(in: folder)
        await service.journal.checked()
        // The next commit repairs the damage.
        var more: [String] = []
        while service.journal.epoch == ended {
            more.append("more \(more.count)")
            try await service.journal.committed(service.publish(more[more.count - 1]))
        }
        let start = Cursor(epoch: ended, sequence: 30)
        let reading = try await read(
            service, format, "/v1/events?after=\(start)", count: 70 + more.count)
        let texts = (31...39).map { "text-\($0)." } + (41...100).map { "text-\($0)." } + more
        #expect(reading.texts == texts)
        let gaps = reading.events.filter { $0.type == .gap }
        let behind = Cursor(epoch: service.journal.epoch, sequence: 39)
        expectGap(gaps.first, "replaced", after: behind, first: 40, last: 40, service)
        #expect(reading.last?.epoch == service.journal.epoch)
        try await service.stop()
    }

    /// Changes one byte of an event in the file.
    private func damage(_ text: String, in file: String) throws {
        var data = try Data(contentsOf: URL(filePath: file))
        let range = try #require(data.firstRange(of: Data(text.utf8)))
        data[range.lowerBound] ^= 1
        try data.write(to: URL(filePath: file))
    }
}
