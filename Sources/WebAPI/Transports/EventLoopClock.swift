import NIOCore
import NIOPosix
import Synchronization

/// A clock that sleeps by SwiftNIO's timers, and tells the time of `ContinuousClock`.
///
/// Swift's own clocks sleep in libdispatch's pool, which wakes up once a second for as long as the
/// process lives, once it was used. An idle program should not wake up.
public struct EventLoopClock: Clock {
    /// A point in time.
    public typealias Instant = ContinuousClock.Instant

    private let group: any EventLoopGroup

    /// Makes a clock.
    public init() { self.init(on: MultiThreadedEventLoopGroup.singleton) }

    init(on group: any EventLoopGroup) { self.group = group }

    /// The time.
    public var now: Instant { ContinuousClock.now }

    /// The smallest step.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Waits until a time; ends early if the task is cancelled.
    ///
    /// - Throws: `CancellationError`.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let delay = now.duration(to: deadline)
        guard delay > .zero else { return try Task.checkCancellation() }
        let sleep = Sleep(on: group.any())
        try await withTaskCancellationHandler {
            try await sleep.wait(for: delay)
        } onCancel: {
            sleep.cancel()
        }
    }
}

/// One sleep.
private final class Sleep: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, any Error>?
        var timer: Scheduled<Void>?
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let loop: any EventLoop

    init(on loop: any EventLoop) { self.loop = loop }

    func wait(for delay: Duration) async throws {
        try await withCheckedThrowingContinuation { continuation in
            let isCancelled = state.withLock { state in
                guard !state.isCancelled else { return true }
                state.continuation = continuation
                state.timer = loop.scheduleTask(in: TimeAmount(delay)) { self.end() }
                return false
            }
            if isCancelled { continuation.resume(throwing: CancellationError()) }
        }
    }

    func cancel() {
        let (continuation, timer) = state.withLock { state in
            state.isCancelled = true
            return (state.continuation.take(), state.timer.take())
        }
        if let timer {
            timer.cancel()
            // NIO leaves the kernel's timer of a cancelled task armed, and an idle process would wake up when
            // that task was due. A new task replaces the timer if it is not yet due when the loop waits again.
            loop.execute { [loop] in loop.scheduleTask(in: .milliseconds(100)) {} }
        }
        continuation?.resume(throwing: CancellationError())
    }

    private func end() {
        state.withLock { $0.continuation.take() }?.resume()
    }
}
