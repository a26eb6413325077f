import Synchronization

/// Feeds the service manager's watchdog as long as every part of the daemon makes progress.
///
/// At each beat it checks that all parts have answered the previous question; if so, it feeds the watchdog and asks
/// again. A stopped thread is noticed within the watchdog's time plus one interval; a stall of half that time is not.
/// The caller of ``beat()`` is a part too: without it there is no beat.
final class Watchdog: Sendable {
    /// Asks a part to call back as soon as it makes progress; never blocks.
    typealias Question = @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void

    private let questions: [Question]
    private let feed: @Sendable () -> Void
    private let round = Mutex(WatchdogRound())

    init(asking questions: [Question], feed: @escaping @Sendable () -> Void) {
        self.questions = questions
        self.feed = feed
    }

    /// Feeds the watchdog if it may, on any thread.
    func beat() {
        let mayFeed = round.withLock { $0.begin(asking: questions.count) }
        guard mayFeed else { return }
        feed()
        for (part, ask) in questions.enumerated() {
            ask { self.round.withLock { $0.answer(from: part) } }
        }
    }
}

/// The parts that have not answered the last question of a watchdog.
struct WatchdogRound: Sendable {
    private var unanswered: Set<Int> = []

    /// Begins another round if all parts have answered; otherwise the old questions stay open.
    ///
    /// Returns whether the watchdog may be fed and the parts may be asked.
    mutating func begin(asking count: Int) -> Bool {
        guard unanswered.isEmpty else { return false }
        unanswered = Set(0..<count)
        return true
    }

    mutating func answer(from part: Int) { unanswered.remove(part) }
}
