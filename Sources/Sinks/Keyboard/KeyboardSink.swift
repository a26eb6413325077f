import EvdevInput
package import Events
import Glibc
package import Keystrokes
import Synchronization
package import WireText

/// Types scans on a virtual keyboard, for programs that accept nothing but keystrokes.
///
/// It types each event at once, and keeps none across a restart.
package final class KeyboardSink: EventSink {
    /// How many events may wait to be typed; any more are dropped.
    static let mostWaiting = 64

    /// The identity that the keyboard shows to other programs.
    package static let identity = DeviceIdentity(
        name: "keywedge keyboard", bus: VirtualScanner.usualIdentity.bus,
        phys: VirtualScanner.keyboardPhys)

    private struct State {
        var waiting: [[KeyEvent]] = []
        var isOver = false
    }

    private let typing: KeyboardTyping
    private let filter: EventFilter
    private let reporter: SinkStatusReporter
    private let state = Mutex(State())
    private let wakeup: Wakeup

    /// Plugs the keyboard in; `pace` is the time between two changes of a key.
    ///
    /// - Throws: If `/dev/uinput` does not exist or may not be opened.
    package init(
        _ typing: KeyboardTyping, pace: Duration, filter: EventFilter, reporter: SinkStatusReporter
    ) throws(SystemCallError) {
        self.typing = typing
        self.filter = filter
        self.reporter = reporter
        wakeup = try Wakeup()
        // Made here, so that the caller gets the error; from then on only the thread uses it.
        nonisolated(unsafe) let keyboard = try VirtualScanner(identity: Self.identity)
        try WaitingThread.start { [self] in
            type(on: keyboard, microseconds: UInt32(clamping: pace.wholeMicroseconds))
        }
    }

    /// Queues an event to be typed after the earlier ones.
    nonisolated(nonsending) package func send(_ event: Event) async throws {
        _ = try sendAtOnce(event)
    }

    /// Queues an event to be typed after the earlier ones, and does not wait.
    package func sendAtOnce(_ event: Event) throws -> Sending {
        guard filter.takes(event) else { return .done }
        switch typing.outcome(for: event) {
        case .nothing: break
        case .untypable(let reason): reporter.warn("a scan is not typed: \(reason)")
        case .keys(let keys):
            let isTaken = state.withLock { state in
                guard state.waiting.count < Self.mostWaiting, !state.isOver else { return false }
                state.waiting.append(keys)
                return true
            }
            if isTaken {
                wakeup.wake()
            } else {
                reporter.warn("a scan is not typed: too many wait")
            }
        }
        return .done
    }

    private func type(on keyboard: VirtualScanner, microseconds: UInt32) {
        while true {
            wakeup.wait()
            while let keys = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() })
            {
                do throws(SystemCallError) {
                    for key in keys {
                        try keyboard.send(key)
                        if key.type == InputEventType.syn { usleep(microseconds) }
                    }
                } catch {
                    reporter.trouble("a scan is not typed: \(error)")
                    state.withLock { $0.isOver = true }
                    return
                }
            }
        }
    }
}
