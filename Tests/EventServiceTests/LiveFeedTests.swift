import Events
import Journal
import NIOCore
import NIOEmbedded
import TestFolders
import Testing
import WireText

@testable import EventService

/// Tests when the feed wakes streams, and which events it returns.
@Suite struct LiveFeedTests {
    private let loop = NIOAsyncTestingEventLoop()
    private let signal = StreamSignal()
    private let feed: LiveFeed

    init() async throws {
        let journal = try EventJournal(
            opening: JournalSettings(file: try TemporaryFolder().path("journal.sqlite")))
        feed = LiveFeed(journal: journal)
        feed.wakeStreams(on: loop)
        feed.add(signal)
        await loop.advanceTime(by: .seconds(1))
    }

    private func publish(_ sequence: UInt64) async {
        let event = Event(
            id: "\(sequence)", source: "/keywedge/test", type: .scan,
            time: EventTime(microsecondsSince1970: 0), sequence: sequence, data: [:])
        feed.publish(event)
        await loop.run()
    }

    /// Whether the stream was woken for news since the last call.
    private func wasWoken() async -> Bool {
        // Because of the comment, `wait` returns in any case.
        signal.set(.comment)
        return await signal.wait() == .news
    }

    @Test func anEventThatComesAloneIsSentAtOnceAndAFloodTogether() async throws {
        await publish(1)
        #expect(await wasWoken())
        for sequence in 2...9 { await publish(UInt64(sequence)) }
        #expect(await !wasWoken())
        await loop.advanceTime(by: LiveFeed.pause)
        #expect(await wasWoken())
        guard case .events(let events) = feed.step(after: 1) else {
            Issue.record("the feed does not return the flood")
            return
        }
        #expect(events.map(\.sequence) == Array(2...9))
        await loop.advanceTime(by: LiveFeed.pause)
        await publish(10)
        #expect(await wasWoken())
    }

    @Test func aStreamThatNeedsTheLastDroppedEventReadsTheJournal() async throws {
        for sequence in 1...UInt64(LiveFeed.countLimit + 1) { await publish(sequence) }
        guard case .behind = feed.step(after: 0) else {
            Issue.record("the feed skips the dropped event")
            return
        }
        guard case .events(let events) = feed.step(after: 1) else {
            Issue.record("the feed does not return the second event")
            return
        }
        #expect(events.first?.sequence == 2)
    }

    @Test func theEndOfTheFeedWakesAsWell() async {
        await publish(1)
        #expect(await wasWoken())
        feed.finish()
        await loop.advanceTime(by: LiveFeed.pause)
        #expect(await wasWoken())
    }
}
