internal import CLibevdev
internal import Glibc
package import Keystrokes
package import WireText

/// Reads the raw events of one device, for `record` and `monitor`.
///
/// Other processes get the events too, unless it claims the device.
package final class RawReader {
    /// How long a key may be held before the device is claimed anyway, in microseconds.
    private static let heldKeysTimeout: Int64 = 2_000_000

    private let nodes: [EvdevDevice]
    private let wakeup: Wakeup
    /// When the device is claimed even if a key is down; nil if it is claimed, or never will be.
    private var claimDeadline: Int64?
    private var hasMore = false
    private var failure: SystemCallError?

    /// Opens the nodes of a device; their events are read as those of one device.
    ///
    /// It is claimed as soon as no key is down: a process that saw a key go down must see its
    /// release.
    ///
    /// - Throws: The first call that fails; `EBUSY` if another process has claimed the device.
    package init(paths: [String], grabs: Bool = false) throws(SystemCallError) {
        var nodes: [EvdevDevice] = []
        for path in paths { nodes.append(try EvdevDevice(path: path)) }
        self.nodes = nodes
        wakeup = try Wakeup()
        if grabs { claimDeadline = MonotonicClock.now().later(by: Self.heldKeysTimeout) }
        try claimIfDue()
    }

    /// The identity of the device, by its first node.
    package var identity: DeviceIdentity { nodes.first?.identity ?? DeviceIdentity() }

    /// The keys that it can send, ascending.
    package var keyCodes: [KeyCode] {
        Set(nodes.flatMap(\.keyCodes)).sorted { $0.rawValue < $1.rawValue }
    }

    /// Ends reading, now and for good; may be called on any thread.
    package var stop: @Sendable () -> Void {
        { [wakeup] in wakeup.wake() }
    }

    /// The time now on the clock of the events, in microseconds.
    package var now: Int64 { MonotonicClock.now() }

    /// Waits for events.
    ///
    /// - Parameter timeout: How long at most; nil for as long as it takes.
    /// - Returns: The events that came, in the order of their time; empty if the time is over or a
    ///   signal came; nil once reading was stopped.
    /// - Throws: `ENODEV` if the device is gone, `EBUSY` if a claim that had to wait is refused.
    package func events(within timeout: Duration? = nil) throws(SystemCallError) -> [KeyEvent]? {
        if let failure { throw failure }
        guard !wait(for: timeout) else { return nil }
        var events: [KeyEvent] = []
        do throws(SystemCallError) {
            hasMore = false
            for node in nodes where try node.read(limit: 1024, { events.append($0) }) {
                hasMore = true
            }
            try claimIfDue()
        } catch {
            // The events before the failure are not lost: the next call throws it.
            guard !events.isEmpty else { throw error }
            failure = error
        }
        return nodes.count > 1 ? events.inTimeOrder : events
    }

    /// Waits until there is something to do.
    ///
    /// - Returns: Whether reading was stopped.
    private func wait(for timeout: Duration?) -> Bool {
        let now = MonotonicClock.now()
        let end = timeout.map { now.later(by: max(0, $0.wholeMicroseconds)) }
        let deadline = hasMore ? now : [claimDeadline, end].compactMap(\.self).min()
        let watched = [wakeup.descriptor] + nodes.map(\.descriptor)
        var descriptors = watched.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let count = poll(
            &descriptors, nfds_t(descriptors.count),
            EventPoll.milliseconds(from: now, until: deadline))
        return count > 0 && descriptors[0].revents != 0
    }

    private func claimIfDue() throws(SystemCallError) {
        guard let claimDeadline else { return }
        let isKeyDown = nodes.contains { !$0.heldKeys.isEmpty }
        guard !isKeyDown || claimDeadline <= MonotonicClock.now() else { return }
        for node in nodes { try node.claim() }
        self.claimDeadline = nil
    }
}
