import CLinux
import Glibc

/// A link to systemd that reports the daemon's state; it does nothing if systemd did not start the daemon.
///
/// Protocol: sd_notify(3).
package struct ServiceManager: Sendable {
    private let socketPath: String?
    /// The interval for feeding systemd's watchdog, a quarter of its timeout; nil if there is no watchdog.
    package let watchdogInterval: Duration?

    /// A function to call when the daemon is ready, before systemd is notified.
    var onReady: @Sendable () -> Void = {}

    package init(environment: (String) -> String?) {
        socketPath = environment("NOTIFY_SOCKET").flatMap {
            ["/", "@"].contains($0.prefix(1)) ? $0 : nil
        }
        let isForUs = environment("WATCHDOG_PID").map { $0 == String(getpid()) } ?? true
        let microseconds = environment("WATCHDOG_USEC").flatMap(Int64.init) ?? 0
        watchdogInterval = isForUs && microseconds > 3 ? .microseconds(microseconds / 4) : nil
    }

    /// Calls ``onReady``, and then tells systemd that the daemon is ready.
    package func ready() {
        onReady()
        send("READY=1")
    }

    package func stopping() { send("STOPPING=1") }

    package func kickWatchdog() { send("WATCHDOG=1") }

    /// Asks systemd to store a copy of a descriptor for the next run, under the given name.
    package func keep(_ descriptor: Int32, as name: String) {
        send("FDSTORE=1\nFDNAME=\(name)", with: descriptor)
    }

    /// Asks systemd to close the descriptors that it stores under this name.
    package func drop(_ name: String) { send("FDSTOREREMOVE=1\nFDNAME=\(name)") }

    /// Sends a message without blocking, with the descriptor `passed` unless that is negative.
    private func send(_ message: String, with passed: Int32 = -1) {
        if let socketPath { clinux_notify(socketPath, message, passed) }
    }
}
