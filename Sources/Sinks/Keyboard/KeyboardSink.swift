package import Events
import Glibc
package import Keystrokes
import ScannerInput
import Synchronization
import WebAPI
package import WireText

/// A sink that types scans on a virtual keyboard, for programs that accept only keystrokes.
///
/// It does not wait until the journal has stored an event. Events not yet typed when the daemon ends are lost.
package final class KeyboardSink: EventSink {
    /// The maximum number of events waiting to be typed; further events are dropped.
    static let mostWaiting = 64

    package static let identity = DeviceIdentity(
        name: "keywedge keyboard", bus: VirtualScanner.usualIdentity.bus,
        phys: VirtualScanner.keyboardPhys)

    private let typing: KeyboardTyping
    private let filter: EventFilter
    private let reporter: SinkStatusReporter
    /// The keys to type for each waiting event; nil without a keyboard, so that new events are dropped.
    private let waiting = Mutex<[[KeyEvent]]?>(nil)
    private let wakeup: Wakeup

    /// Creates the keyboard, retrying in the background; `pace` is the pause after each press or release.
    package init(
        _ typing: KeyboardTyping, pace: Duration, filter: EventFilter, reporter: SinkStatusReporter
    ) throws(SystemCallError) {
        self.typing = typing
        self.filter = filter
        self.reporter = reporter
        wakeup = try Wakeup()
        // Make the first attempt here, so that its outcome is known before the first event.
        nonisolated(unsafe) let keyboard = plugIn()
        try WaitingThread.start { [self] in
            run(keyboard, microseconds: UInt32(clamping: pace.wholeMicroseconds))
        }
    }

    /// Queues the keys to type for an event, and returns before they are typed.
    package func send(_ event: Event) {
        guard filter.takes(event) else { return }
        do throws(KeyboardTyping.Untypable) {
            let keys = try typing.keys(for: event)
            guard !keys.isEmpty else { return }
            let isFull = waiting.withLock { waiting in
                let isFull = waiting?.count ?? 0 >= Self.mostWaiting
                if !isFull { waiting?.append(keys) }
                return isFull
            }
            if isFull { reporter.report(.warning("a scan is not typed: too many wait")) }
            wakeup.wake()
        } catch {
            reporter.report(.warning("a scan is not typed: \(error.reason)"))
        }
    }

    /// Types the queued key events, and creates a new virtual keyboard after each failure; never returns.
    private func run(_ first: VirtualScanner?, microseconds: UInt32) {
        var keyboard = first
        var backoff = Backoff(first: .seconds(1), longest: .seconds(30))
        while true {
            if let plugged = keyboard {
                backoff.reset()
                type(on: plugged, microseconds)
            }
            usleep(UInt32(clamping: backoff.next().wholeMicroseconds))
            keyboard = plugIn()
        }
    }

    private func plugIn() -> VirtualScanner? {
        do throws(SystemCallError) {
            let keyboard = try VirtualScanner(identity: Self.identity)
            waiting.withLock { $0 = [] }
            reporter.report(.well)
            return keyboard
        } catch {
            fail(error)
            return nil
        }
    }

    private func fail(_ error: SystemCallError) {
        waiting.withLock { $0 = nil }
        reporter.report(.trouble("scans are not typed: \(error)"))
    }

    private func type(on keyboard: VirtualScanner, _ microseconds: UInt32) {
        while true {
            wakeup.wait()
            while let keys = waiting.withLock({ $0?.isEmpty == false ? $0?.removeFirst() : nil }) {
                do throws(SystemCallError) {
                    for key in keys {
                        try keyboard.send(key)
                        if key.type == InputEventType.syn { usleep(microseconds) }
                    }
                } catch {
                    return fail(error)
                }
            }
        }
    }
}
