import Events
import Journal
import Logging
import ServiceLifecycle
import TestFolders
import Testing
import WireText

@testable import KeywedgeDaemon

@Suite struct JournaledEventsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func journal() throws -> EventJournal {
        try EventJournal(opening: JournalSettings(file: folder.path("journal.sqlite")))
    }

    private func publisher(_ sinks: [any EventSink], _ journal: EventJournal) -> EventPublisher {
        let events = EventFactory(register: "r", identifiers: .random) { journal.nextSequence() }
        return EventPublisher(events: events, sinks: sinks, journal: journal)
    }

    /// Of today: what is a month old is taken away again.
    private let draft = EventDraft(
        .scan, scanner: "s", time: SystemClock().now, data: ["text": "42\u{1b}"])

    @Test func theJournalHasTheBytesThatTheSinksWrite() async throws {
        let journal = try journal()
        let pipe = OutputPipe()
        let publisher = publisher([pipe.sink], journal)
        try await publisher.publish(draft)
        try await publisher.publish(draft)
        try await journal.committed(2)
        let written = try pipe.lines(2)
        let entries = try await journal.page(after: nil, limit: 10).entries
        #expect(entries.map(\.line) == written)
        #expect(entries.map(\.sequence) == [1, 2])
        #expect(entries.map(\.source) == ["/keywedge/r/scanners/s", "/keywedge/r/scanners/s"])
        await journal.close()
    }

    @Test func aSinkThatNobodyReadsKeepsNothingFromTheJournal() async throws {
        let journal = try journal()
        let pipe = OutputPipe()
        // More than a pipe holds.
        var large = draft
        large.data = ["text": .string(String(repeating: "x", count: 200_000))]
        let publisher = publisher([pipe.sink], journal)
        let publishing = Task { [large] in try await publisher.publish(large) }
        try await journal.committed(1)
        #expect(try await journal.page(after: nil, limit: 10).entries.count == 1)
        _ = try pipe.lines(1)
        try await publishing.value
        await journal.close()
    }

    @Test func aSinkThatFailsKeepsNothingFromTheOthers() async throws {
        struct Failing: EventSink {
            struct Gone: Error {}
            func send(_ event: Event) async throws { throw Gone() }
            func sendAtOnce(_ event: Event) throws -> Sending { throw Gone() }
        }
        let journal = try journal()
        let pipe = OutputPipe()
        let publisher = publisher([Failing(), pipe.sink], journal)
        await #expect(throws: Failing.Gone.self) { try await publisher.publish(draft) }
        try await journal.committed(1)
        #expect(try pipe.lines(1).count == 1)
        await journal.close()
    }

    @Test func aSinkBehindTheJournalGetsWhatIsOnTheDiskInItsOrder() async throws {
        let journal = try journal()
        let pipe = OutputPipe()
        let sink = JournaledSink(pipe.sink, behind: journal)
        let publisher = publisher([sink], journal)
        for _ in 0..<20 { try await publisher.publish(draft) }
        publisher.finish()
        try await sink.sendAll()
        let page = try await journal.page(after: nil, limit: 100)
        #expect(try pipe.lines(20) == page.entries.map(\.line))
        await journal.close()
    }

    @Test func aSinkThatHasSentEverythingLeavesTheOthersTimeToEnd() async throws {
        /// Has nothing more to tell, and ends later than that.
        struct Teller: Service {
            let publisher: EventPublisher
            func run() async throws {
                try await gracefulShutdown()
                publisher.finish()
                try await Task.sleep(for: .milliseconds(300))
            }
        }
        let journal = try journal()
        let sink = JournaledSink(OutputPipe().sink, behind: journal)
        let teller = Teller(publisher: publisher([sink], journal))
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: sink), .init(service: teller)],
                logger: Logger(label: "test")))
        async let running: Void = group.run()
        await group.triggerGracefulShutdown()
        try await running
        await journal.close()
    }

    @Test func theEventsOfTheJournalSayWhatBecameOfIt() throws {
        let time = EventTime(microsecondsSince1970: 0)
        let loss = JournalLoss(
            place: .journal, policy: .oldest, first: 3, last: 41, count: 39, sinks: ["mqtt"])
        let full = try #require(JournalNotice.full(loss).draft(at: time))
        #expect(full.type == .journalFull)
        #expect(
            full.data == [
                "place": "journal", "given_up": "oldest", "first": "00000000000000000003",
                "last": "00000000000000000041", "count": 39, "sinks": ["mqtt"],
            ])
        let epoch = try #require(Epoch("abcdefghijkl"))
        let replacement = JournalReplacement(
            reason: "the event behind 7 has changed", file: "/var/lib/k/j.damaged", taken: 12,
            holes: 1, ended: nil, epoch: epoch)
        let replaced = try #require(JournalNotice.replaced(replacement).draft(at: time))
        #expect(replaced.type == .journalReplaced)
        #expect(
            replaced.data == [
                "reason": "the event behind 7 has changed", "file": "/var/lib/k/j.damaged",
                "taken_over": 12, "holes": 1, "ended": .null, "epoch": "abcdefghijkl",
            ])
        let restored = JournalReplacement(
            reason: "a copy", file: nil, taken: 12, holes: 1, ended: epoch, epoch: epoch)
        #expect(JournalNotice.replaced(restored).draft(at: time)?.data["file"] == .null)
        #expect(JournalNotice.failing(reason: "x").draft(at: time) == nil)
        #expect(JournalNotice.recovered.draft(at: time) == nil)
    }
}
