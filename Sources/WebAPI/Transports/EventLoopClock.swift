import NIOCore
import NIOPosix

/// A clock that tells the same time as `ContinuousClock`, but sleeps with SwiftNIO's timers.
///
/// Swift's own clocks sleep in libdispatch's thread pool. After its first use, that pool wakes up every second until
/// the process ends, even if the program is idle.
public struct EventLoopClock: Clock {
    /// An instant of `ContinuousClock`, so that the times of both clocks can be compared.
    public typealias Instant = ContinuousClock.Instant

    private let group: any EventLoopGroup

    /// Creates a clock that uses SwiftNIO's shared event loops.
    public init() { self.init(on: MultiThreadedEventLoopGroup.singleton) }

    init(on group: any EventLoopGroup) { self.group = group }

    /// The current time of `ContinuousClock`.
    public var now: Instant { ContinuousClock.now }

    /// The smallest difference between two times: one nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Waits until the deadline; throws `CancellationError` if the task is cancelled before that.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let delay = now.duration(to: deadline)
        guard delay > .zero else { return }
        let loop = group.any()
        let timer = loop.scheduleTask(in: TimeAmount(delay)) {}
        do {
            try await withTaskCancellationHandler {
                try await timer.futureResult.get()
            } onCancel: {
                timer.cancel()
                // NIO leaves the kernel's timer armed for a cancelled task, so an idle process would wake up when
                // that task was due. A new task resets the timer, unless it is due before the loop waits again.
                loop.execute { loop.scheduleTask(in: .milliseconds(100)) {} }
            }
        } catch {
            throw CancellationError()
        }
    }
}
