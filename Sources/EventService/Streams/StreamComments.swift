import NIOCore
import Synchronization

/// Wakes the streams every 15 seconds for a comment that shows they are still there; one alarm for
/// all of them, and none where there is no stream.
final class StreamComments: Sendable {
    private static let interval = TimeAmount.seconds(15)

    private struct State {
        var signals: [ObjectIdentifier: StreamSignal] = [:]
        var alarm: RepeatedTask?
    }

    private let loop: any EventLoop
    private let state = Mutex(State())

    init(on loop: any EventLoop) {
        self.loop = loop
    }

    /// Has a stream be woken from now on.
    func add(_ signal: StreamSignal) {
        state.withLock { state in
            state.signals[ObjectIdentifier(signal)] = signal
            guard state.alarm == nil else { return }
            state.alarm = loop.scheduleRepeatedTask(
                initialDelay: Self.interval, delay: Self.interval
            ) { [weak self] _ in self?.ring() }
        }
    }

    /// Forgets a stream.
    func remove(_ signal: StreamSignal) {
        let alarm = state.withLock { state -> RepeatedTask? in
            state.signals[ObjectIdentifier(signal)] = nil
            guard state.signals.isEmpty else { return nil }
            defer { state.alarm = nil }
            return state.alarm
        }
        alarm?.cancel()
    }

    private func ring() {
        let signals = state.withLock { Array($0.signals.values) }
        for signal in signals { signal.set(.comment) }
    }
}
