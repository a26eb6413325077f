import Events
import Keystrokes
import Synchronization

/// Where the one event lies that is ready but for the last key of its scan.
///
/// It is either released by the thread that reads the key, or taken back by the publisher, whose
/// next event has its number: never both, and whoever comes second is told. The reader's thread does
/// not wait: where the publisher is at the slot just then, the scan goes the usual way.
final class ReadySlot: Sendable {
    private struct State {
        var ready: ReadyScan?
        var isReleased = false
    }

    private let state = Mutex(State())
    private let pipe: InstantPipe
    private let clock: BoxClock

    /// Makes an empty slot.
    ///
    /// - Parameters:
    ///   - pipe: Where a released event goes.
    ///   - clock: The clocks of the box.
    init(pipe: InstantPipe, clock: BoxClock) {
        self.pipe = pipe
        self.clock = clock
    }

    /// Puts an event in; the slot is empty.
    func put(_ ready: ReadyScan) {
        state.withLock { $0 = State(ready: ready) }
    }

    /// Empties the slot.
    ///
    /// - Returns: Whether what was in it has been released.
    func takeBack() -> Bool {
        let last = state.withLock { state in
            let last = state
            state = State()
            return last
        }
        return last.isReleased
    }

    /// Writes the event of a scan; on the reader's thread.
    ///
    /// - Parameters:
    ///   - scan: The scan that came.
    ///   - scanner: The name of its scanner.
    /// - Returns: Whether it was there and is written.
    func release(_ scan: Scan, from scanner: String) -> Bool {
        let isReleased = state.withLockIfAvailable { state in
            guard !state.isReleased, let ready = state.ready else { return false }
            let now = clock.monotonicMicroseconds
            let time = clock.time(at: scan.endMicroseconds, seenAt: now)
            guard let line = ready.line(for: scan, from: scanner, at: time, now: now) else {
                return false
            }
            state.isReleased = pipe.write(line)
            return state.isReleased
        }
        return isReleased ?? false
    }
}
