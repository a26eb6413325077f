import EvdevInput
import Events
import Glibc
import Synchronization
import WireText

/// Keeps a connection to a broker, on a thread of its own, and sends over it what it is given.
final class MQTTConnection: Sendable {
    /// How many messages are on their way at the most.
    static let window = 20
    /// How long the broker may take for a connection, and for an acknowledgement.
    static let answerTimeout = Duration.seconds(30)
    /// How long the last words may take.
    static let endLimit = Duration.seconds(1)

    /// What is to be sent, and who waits for it.
    struct Job {
        var messages: [MQTTClient.Message]
        var delivery: MQTTDelivery
        var settled: @Sendable (Int, Verdict) -> Void
        var end: CheckedContinuation<TakeOutcome, Never>
    }

    private struct State {
        /// What nobody has begun with.
        var job: Job?
        var isCancelled = false
        var isEnding = false
        var hasEnded = false
        var whenEnded: CheckedContinuation<Void, Never>?
    }

    let settings: MQTTSettings
    let security: MQTTSecurity
    /// What is said once the connection is there, and again each minute.
    let birth: MQTTBirthMessages
    private let state = Mutex(State())
    private let wakeup: Wakeup

    init(
        _ settings: MQTTSettings, security: MQTTSecurity, birth: MQTTBirthMessages
    ) throws(SystemCallError) {
        self.settings = settings
        self.security = security
        self.birth = birth
        wakeup = try Wakeup()
    }

    /// Starts the thread.
    func start(_ reporter: SinkStatusReporter) throws(SystemCallError) {
        try WaitingThread.start { [self] in
            var loop = MQTTLoop(connection: self, reporter: reporter, wakeup: wakeup)
            loop.run()
            let waiting = state.withLock { state in
                state.hasEnded = true
                return state.whenEnded.take()
            }
            waiting?.resume()
        }
    }

    /// Sends messages, in order, and waits until they are settled.
    func send(
        _ messages: [MQTTClient.Message], settled: @escaping @Sendable (Int, Verdict) -> Void
    ) async -> TakeOutcome {
        state.withLock { $0.isCancelled = false }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let delivery = MQTTDelivery(
                    count: messages.count, holdsUnsubscribed: settings.noSubscriber == .hold)
                let job = Job(
                    messages: messages, delivery: delivery, settled: settled, end: continuation)
                let isOver = state.withLock { state in
                    if state.hasEnded || state.isEnding { return true }
                    state.job = job
                    return false
                }
                if isOver { continuation.resume(returning: .cancelled) } else { wakeup.wake() }
            }
        } onCancel: {
            state.withLock { $0.isCancelled = true }
            wakeup.wake()
        }
    }

    /// Says the last words and ends the thread; where that takes too long, it is left alone.
    func end() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                state.isEnding = true
                if !state.hasEnded { state.whenEnded = continuation }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() } else { wakeup.wake() }
        }
    }

    /// Ends the wait for the thread, which may be stuck in a call that takes minutes.
    func giveUpEnding() {
        state.withLock { $0.whenEnded.take() }?.resume()
    }

    /// The next job, once.
    func takeJob() -> Job? { state.withLock { $0.job.take() } }

    /// Whether the job in hand is to be left.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Whether the thread is to end.
    var isEnding: Bool { state.withLock { $0.isEnding } }
}
