import Dispatch
import Events
import Journal
import Synchronization
import TestFolders
import TestWaiting
import Testing
import WireText

@testable import KeywedgeDaemon

@Suite(.blocking) struct WatchdogTests {
    /// A counter that any thread can increase.
    private final class Counter: Sendable {
        private let count = Atomic(0)
        var value: Int { count.load(ordering: .acquiring) }
        func add() { count.add(1, ordering: .acquiringAndReleasing) }
    }

    /// Keeps the answers that a watchdog waits for.
    private final class Part: Sendable {
        private let answers = Mutex<[@Sendable () -> Void]>([])
        var count: Int { answers.withLock { $0.count } }
        func ask(_ answer: @escaping @Sendable () -> Void) {
            answers.withLock { $0.append(answer) }
        }
        func answer() {
            for answer in answers.withLock({ answers in
                defer { answers = [] }
                return answers
            }) { answer() }
        }
    }

    @Test func aPartThatDoesNotAnswerStarvesTheWatchdogAndIsAskedOnce() {
        let (one, two, feeds) = (Part(), Part(), Counter())
        let watchdog = Watchdog(asking: [one.ask, two.ask], feed: feeds.add)
        watchdog.beat()
        #expect(feeds.value == 1)
        one.answer()
        for _ in 0..<5 { watchdog.beat() }
        #expect(feeds.value == 1)
        #expect(one.count == 0 && two.count == 1)
        two.answer()
        watchdog.beat()
        #expect(feeds.value == 2)
        #expect(one.count == 1 && two.count == 1)
    }

    @Test func aBlockedMainLoopStarvesTheWatchdogUntilItRunsAgain() async throws {
        let feeds = Counter()
        let (blocked, free) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (watchdogs, watchdog) = AsyncStream<(Watchdog, MainLoop)>.makeStream()
        async let isComplete = {
            let loop = try MainLoop()
            Task(executorPreference: loop) {
                blocked.signal()
                waitFor(free)
            }
            let question: Watchdog.Question = { answer in
                Task(executorPreference: loop) { answer() }
            }
            watchdog.yield((Watchdog(asking: [question], feed: feeds.add), loop))
            return loop.run(grace: .seconds(1)) {}
        }()
        for await (watchdog, loop) in watchdogs {
            waitFor(blocked)
            for _ in 0..<5 { watchdog.beat() }
            #expect(feeds.value == 1)
            free.signal()
            try await waitUntil("the loop's answer") {
                watchdog.beat()
                return feeds.value == 2
            }
            loop.finish()
            break
        }
        #expect(try await isComplete)
    }

    @Test func theJournalAnswersWhileItIdlesAndWhileItsDiskFails() async throws {
        let folder = try TemporaryFolder()
        for path in [folder.path("journal.sqlite"), folder.path("missing/journal.sqlite")] {
            let journal = try EventJournal(opening: JournalSettings(file: path))
            let feeds = Counter()
            let watchdog = Watchdog(asking: [{ journal.ping($0) }], feed: feeds.add)
            let event = Event(
                id: "1", source: "/keywedge/r", type: .started, time: SystemClock.now,
                sequence: journal.nextSequence(), data: [:])
            journal.append(JournalEntry(event))
            try await waitUntil("answers of the journal at \(path)") {
                watchdog.beat()
                return feeds.value >= 3
            }
            await journal.close()
        }
    }
}

/// Blocks the thread on purpose.
private func waitFor(_ semaphore: DispatchSemaphore) { semaphore.wait() }
