import Synchronization

/// Feeds the service manager's watchdog while every part of the daemon makes progress.
///
/// At each beat, it checks that all parts have answered the previous question; if so, it feeds the watchdog and asks
/// again. A stopped thread is detected within the watchdog's timeout plus one interval; a stall of half the timeout is
/// tolerated. The thread that calls ``beat()`` is checked too, because without it there are no beats.
final class Watchdog: Sendable {
    /// Makes a part call `answer` when it next makes progress; never blocks.
    typealias Question = @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void

    private let questions: [Question]
    private let feed: @Sendable () -> Void
    /// The parts that have not answered the last question.
    private let unanswered = Mutex<Set<Int>>([])

    init(asking questions: [Question], feed: @escaping @Sendable () -> Void) {
        self.questions = questions
        self.feed = feed
    }

    /// If all parts have answered, feeds the watchdog and asks them again; otherwise does nothing.
    func beat() {
        let mayFeed = unanswered.withLock { unanswered in
            guard unanswered.isEmpty else { return false }
            unanswered = Set(questions.indices)
            return true
        }
        guard mayFeed else { return }
        feed()
        for (part, ask) in questions.enumerated() {
            ask { self.unanswered.withLock { _ = $0.remove(part) } }
        }
    }
}
