import Synchronization

/// A watch over the daemon's parts; it feeds the service manager's watchdog while all of them make progress.
///
/// If a part hangs, systemd detects it within the watchdog's timeout plus the time between two beats. A hang of up to
/// half the timeout is tolerated. A hang of the thread that calls ``beat()`` is detected, too, because no other thread
/// feeds the watchdog.
final class Watchdog: Sendable {
    /// A non-blocking function that asks a part of the daemon to call `answer`.
    typealias Question = @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void

    private let questions: [Question]
    private let feed: @Sendable () -> Void
    /// The indices of the ``questions`` that have not been answered since they were last asked.
    private let unanswered = Mutex<Set<Int>>([])

    init(asking questions: [Question], feed: @escaping @Sendable () -> Void) {
        self.questions = questions
        self.feed = feed
    }

    /// Feeds the watchdog and queries each part again; does nothing if a part has not answered the previous query.
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
