package import Events
import Glibc
package import Keystrokes
import ScannerInput
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

    private let typing: KeyboardTyping
    private let filter: EventFilter
    private let reporter: SinkStatusReporter
    /// The keys of events that wait to be typed; nil once typing has failed.
    private let waiting = Mutex<[[KeyEvent]]?>([])
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

    nonisolated(nonsending) package func send(_ event: Event) async throws {
        _ = try sendAtOnce(event)
    }

    /// Queues an event to be typed after the earlier ones, and does not wait.
    package func sendAtOnce(_ event: Event) throws -> Sending {
        guard filter.takes(event) else { return .done }
        switch typing.outcome(for: event) {
        case .nothing: break
        case .untypable(let reason): reporter.report(.warning("a scan is not typed: \(reason)"))
        case .keys(let keys):
            let isQueued = waiting.withLock { waiting in
                let hasRoom = waiting.map { $0.count < Self.mostWaiting } ?? false
                if hasRoom { waiting?.append(keys) }
                return hasRoom
            }
            if !isQueued { reporter.report(.warning("a scan is not typed: too many wait")) }
            wakeup.wake()
        }
        return .done
    }

    private func type(on keyboard: VirtualScanner, microseconds: UInt32) {
        while true {
            wakeup.wait()
            while let keys = waiting.withLock({ $0?.isEmpty == false ? $0?.removeFirst() : nil }) {
                do throws(SystemCallError) {
                    for key in keys {
                        try keyboard.send(key)
                        if key.type == InputEventType.syn { usleep(microseconds) }
                    }
                } catch {
                    reporter.report(.trouble("a scan is not typed: \(error)"))
                    return waiting.withLock { $0 = nil }
                }
            }
        }
    }
}
