import Dispatch
import Events
import Logging
import ServiceLifecycle
import TestFolders
import TestWaiting
import Testing
import WireText

@testable import Journal
@testable import KeywedgeDaemon

@Suite(.blocking) struct JournaledEventsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func journal() throws -> EventJournal {
        try EventJournal(opening: JournalSettings(file: folder.path("journal.sqlite")))
    }

    private func publisher(_ sinks: [any EventSink], _ journal: EventJournal) -> EventPublisher {
        let events = EventFactory(register: "r", identifiers: .random) { journal.nextSequence() }
        return EventPublisher(events: events, sinks: sinks, journal: journal)
    }

    /// An event of today, because the journal removes events that are a month old.
    private let draft = EventDraft(
        .scan, scanner: "s", time: SystemClock.now, data: ["text": "42\u{1b}"])

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
        // The event's line is longer than a pipe holds.
        var large = draft
        large.data = ["text": .string(String(repeating: "x", count: 200_000))]
        try await publisher([try pipe.output()], journal).publish(large)
        try await journal.committed(1)
        #expect(try await journal.page(after: nil, limit: 10).entries.count == 1)
        #expect(try pipe.lines(1).count == 1)
        await journal.close()
    }

    @Test func aSinkThatFailsKeepsNothingFromTheOthers() async throws {
        struct Failing: EventSink {
            struct Gone: Error {}
            func send(_ event: Event) throws { throw Gone() }
        }
        let journal = try journal()
        let pipe = OutputPipe()
        let publisher = publisher([Failing(), pipe.sink], journal)
        await #expect(throws: Failing.Gone.self) { try await publisher.publish(draft) }
        try await journal.committed(1)
        #expect(try pipe.lines(1).count == 1)
        await journal.close()
    }

    @Test func aConsumerMaySetItsCursorToAnEventThatItReadsLive() async throws {
        /// A consumer that sets its cursor before anything else happens.
        struct Consumer: EventSink {
            let journal: EventJournal

            func send(_ event: Event) {
                let isSet = DispatchSemaphore(value: 0)
                let cursor = Cursor(epoch: journal.epoch, sequence: event.sequence)
                journal.move(.consumer("till"), to: cursor) { _ in isSet.signal() }
                isSet.wait()
            }
        }
        let journal = try journal()
        let publisher = publisher([Consumer(journal: journal)], journal)
        for _ in 0..<3 { try await publisher.publish(draft) }
        try await journal.committed(3)
        #expect(try await journal.cursor(of: .consumer("till")) == journal.end)
        await journal.close()
    }

    @Test func outputAfterTheJournalHasWhatIsOnTheDiskInItsOrder() async throws {
        let journal = try journal()
        let pipe = OutputPipe()
        let output = try pipe.output(holdsBack: true)
        let publisher = publisher([output], journal)
        for _ in 0..<20 { try await publisher.publish(draft) }
        try await whileReleasing(output, journal) {
            let lines = try pipe.lines(20)
            #expect(try await journal.page(after: nil, limit: 100).entries.map(\.line) == lines)
        }
    }

    /// The journal has room for only some of the events.
    @Test func outputAfterTheJournalHasEventsThatTheJournalGaveUp() async throws {
        let journal = try EventJournal(
            opening: JournalSettings(
                file: folder.path("full.sqlite"), keep: .init(megabytes: 1), whenFull: .newest),
            sinks: ["absent"])
        let pipe = OutputPipe()
        let output = try pipe.output(holdsBack: true)
        let publisher = publisher([output], journal)
        var large = draft
        large.data = ["text": .string(String(repeating: "x", count: 2_000))]
        try await whileReleasing(output, journal) { [large] in
            for number in 1...1_500 {
                try await publisher.publish(large)
                let events = try pipe.events(1)
                #expect(events.map(\.sequence) == [UInt64(number)])
            }
            let newest = try await journal.survey().newest
            #expect(newest.map { $0.sequence < 1_500 } == true)
        }
    }

    @Test func outputAfterTheJournalHasEventsThatWaitForADiskThatFails() async throws {
        // The folder is missing.
        let journal = try EventJournal(
            opening: JournalSettings(file: folder.path("missing/journal.sqlite")))
        let pipe = OutputPipe()
        let output = try pipe.output(holdsBack: true)
        let publisher = publisher([output], journal)
        try await whileReleasing(output, journal) {
            for _ in 0..<20 { try await publisher.publish(draft) }
            #expect(try pipe.lines(20).count == 20)
        }
    }

    /// Runs the service that releases lines until `body` has ended.
    private func whileReleasing(
        _ output: OutputSink, _ journal: EventJournal, _ body: () async throws -> Void
    ) async throws {
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: OutputService(output: output, journal: journal))],
                logger: Logger(label: "test")))
        async let running: Void = group.run()
        try await body()
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
