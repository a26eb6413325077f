internal import CLibevdev
internal import Glibc
package import Keystrokes
package import WireText

/// A reader of one device's events; claiming the device is optional.
package final class RawReader {
    private let nodes: [any InputDevice]
    private let wakeup: Wakeup
    private let poll: EventPoll
    /// When to claim the device even if a key is down; nil if no claim is pending.
    private var claimDeadline: Int64?
    private var hasMore = false
    private var order = EventOrder()
    private var failure: SystemCallError?

    /// Opens the nodes of a device, and merges their events.
    ///
    /// If `grabs` is true, the reader claims the device as soon as no key is down, or after two seconds at the latest:
    /// a process that saw a key go down should also see its release.
    ///
    /// - Throws: The error of the first system call that fails; `EBUSY` if another process has claimed the device.
    package init(
        paths: [String], grabs: Bool = false, serial: SerialSettings = SerialSettings()
    ) throws(SystemCallError) {
        let kernel = KernelDevices()
        var nodes: [any InputDevice] = []
        for path in paths {
            let described = kernel.number(at: path).flatMap {
                DescribedDevice(number: $0, at: path, sysfs: DevicePlaces().sysfs)
            }
            nodes.append(try kernel.open(path, as: described, serial: serial))
        }
        self.nodes = nodes
        wakeup = try Wakeup()
        poll = try EventPoll()
        for (index, descriptor) in ([wakeup.descriptor] + nodes.map(\.descriptor)).enumerated() {
            try poll.add(descriptor, token: UInt64(index))
        }
        if grabs {
            let limit = ReaderConfiguration().heldKeysTimeout
            claimDeadline = MonotonicClock.now().later(by: limit.wholeMicroseconds)
        }
        try claimIfDue()
    }

    package var identity: DeviceIdentity { nodes.first?.described.identity ?? DeviceIdentity() }

    package var keyCodes: [KeyCode] {
        Set(nodes.compactMap { $0 as? EvdevDevice }.flatMap(\.keyCodes))
            .sorted { $0.rawValue < $1.rawValue }
    }

    package var interface: ScannerInterface {
        nodes.first?.described.interface
            ?? .keyboard(KeyCapabilities(hasDigits: false, hasEnter: false))
    }

    /// A closure that stops reading permanently; any thread can call it.
    package var stop: @Sendable () -> Void {
        { [wakeup] in wakeup.wake() }
    }

    package var now: Int64 { MonotonicClock.now() }

    /// Waits for events.
    ///
    /// - Parameter timeout: The maximum wait; nil for no limit.
    /// - Returns: The events, earliest first; empty if the time is up or a signal arrived; nil after reading was
    ///   stopped.
    /// - Throws: `ENODEV` if the device is gone; `EBUSY` if another process claimed it while this reader waited for a
    ///   key's release.
    package func events(within timeout: Duration? = nil) throws(SystemCallError) -> [DeviceEvent]? {
        if let failure { throw failure }
        let ready = wait(for: timeout)
        guard !ready.contains(0) else { return nil }
        let events: [DeviceEvent]
        do throws(SystemCallError) {
            let settled = nodes.count == 1 ? .max : now - EventOrder.settlingTime
            let readsAll = hasMore || nodes.count > 1
            hasMore = false
            for (index, node) in nodes.enumerated()
            where readsAll || ready.contains(UInt64(index + 1)) {
                if try node.read(limit: 1024, { order.waiting.append($0) }) { hasMore = true }
            }
            try claimIfDue()
            events = order.removeEvents(upTo: settled)
        } catch {
            events = order.removeEvents(upTo: .max)
            // This call returns the events before the failure, and the next one throws the error.
            guard !events.isEmpty else { throw error }
            failure = error
        }
        return events.isEmpty && !order.waiting.isEmpty ? try self.events(within: timeout) : events
    }

    /// Waits for input or a deadline, and returns the 1-based numbers of the readable nodes; a 0 among them means that
    /// reading was stopped.
    private func wait(for timeout: Duration?) -> [UInt64] {
        let now = MonotonicClock.now()
        let end = timeout.map { now.later(by: max(0, $0.wholeMicroseconds)) }
        let settled = order.waiting.isEmpty ? nil : now.later(by: EventOrder.settlingTime)
        let deadline = hasMore ? now : [claimDeadline, end, settled].compactMap(\.self).min()
        return poll.wait(milliseconds: EventPoll.milliseconds(from: now, until: deadline))
    }

    private func claimIfDue() throws(SystemCallError) {
        guard let claimDeadline else { return }
        let isKeyDown = nodes.contains { !$0.heldKeys.isEmpty }
        guard !isKeyDown || claimDeadline <= MonotonicClock.now() else { return }
        for node in nodes { try node.claim() }
        self.claimDeadline = nil
    }
}
