internal import CLibevdev
internal import Glibc
package import Keystrokes
package import WireText

/// Reads the raw events of one device, for `record` and `monitor`.
///
/// Everybody else goes on getting the events too, unless a grab is asked for.
package final class RawReader {
    /// How long a key may be held before a grab is made all the same, in microseconds.
    private static let timeout: Int64 = 2_000_000

    private let nodes: [InputNode]
    private let wakeup: Wakeup
    /// The grab that is still to be made.
    private var gate: GrabGate?
    private var hasMore = false
    private var failure: SystemCallError?

    /// Opens the nodes of a device.
    ///
    /// A grab is made as soon as no key is down: whoever saw a key go down must see it come up.
    ///
    /// - Parameters:
    ///   - paths: The nodes, or links to them; their events are read as those of one device.
    ///   - grabs: Whether nobody else is to get the events.
    /// - Throws: The first call that fails; `EBUSY` where another process holds the grab.
    package init(paths: [String], grabs: Bool = false) throws(SystemCallError) {
        var nodes: [InputNode] = []
        for path in paths { nodes.append(try InputNode(path: path)) }
        self.nodes = nodes
        wakeup = try Wakeup()
        if grabs { gate = GrabGate(at: MonotonicClock.now(), timeout: Self.timeout) }
        try grabWhereDue()
    }

    /// Opens a device that has one node.
    ///
    /// - Parameters:
    ///   - path: The node or a link to it.
    ///   - grabs: Whether nobody else is to get the events.
    /// - Throws: The first call that fails; `EBUSY` where another process holds the grab.
    package convenience init(path: String, grabs: Bool = false) throws(SystemCallError) {
        try self.init(paths: [path], grabs: grabs)
    }

    /// Who the device is, by its first node, and what all its nodes can send.
    package var description: DeviceDescription {
        let all = nodes.map(\.description)
        var codes: [UInt16: [UInt16]] = [:]
        for description in all {
            codes.merge(description.codes) { Set($0).union($1).sorted() }
        }
        return DeviceDescription(
            identity: all.first?.identity ?? DeviceIdentity(),
            properties: Set(all.flatMap(\.properties)).sorted(), codes: codes)
    }

    /// Ends reading, now and for good; may be called on any thread.
    package var stop: @Sendable () -> Void {
        { [wakeup] in wakeup.wake() }
    }

    /// The time now on the clock of the events, in microseconds.
    package var now: Int64 { MonotonicClock.now() }

    /// Waits for events.
    ///
    /// - Parameter timeout: How long at the most; nil for as long as it takes.
    /// - Returns: The events that came, in the order of their time; none where the time is over or
    ///   a signal came; nil once reading was stopped.
    /// - Throws: `ENODEV` where the device is gone, `EBUSY` where a grab that had to wait is
    ///   refused.
    package func events(within timeout: Duration? = nil) throws(SystemCallError) -> [KeyEvent]? {
        if let failure { throw failure }
        guard !wait(for: timeout) else { return nil }
        var events: [KeyEvent] = []
        do throws(SystemCallError) {
            hasMore = false
            for node in nodes where try node.read(into: &events) { hasMore = true }
            try grabWhereDue()
        } catch {
            // What came ahead of the failure is not lost: the failure waits for the next call.
            guard !events.isEmpty else { throw error }
            failure = error
        }
        return nodes.count > 1 ? events.inTimeOrder : events
    }

    /// Waits until there is something to do.
    ///
    /// - Returns: Whether reading was stopped.
    private func wait(for timeout: Duration?) -> Bool {
        var milliseconds: Int32 = -1
        if let limit = limit(timeout) {
            let whole = limit.addingReportingOverflow(999)
            milliseconds = Int32(clamping: (whole.overflow ? .max : whole.partialValue) / 1_000)
        }
        let watched = [wakeup.descriptor] + nodes.map(\.descriptor)
        var descriptors = watched.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let count = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
        return count > 0 && descriptors[0].revents != 0
    }

    /// How long to wait, in microseconds.
    private func limit(_ timeout: Duration?) -> Int64? {
        if hasMore { return 0 }
        let untilGrab = gate.map { max(0, $0.deadline - MonotonicClock.now()) }
        let given = timeout.map { max(0, $0.wholeMicroseconds) }
        return [untilGrab, given].compactMap(\.self).min()
    }

    private func grabWhereDue() throws(SystemCallError) {
        guard let gate else { return }
        let isAnyKeyDown = nodes.contains(where: \.isAnyKeyDown)
        guard gate.step(at: MonotonicClock.now(), isAnyKeyDown: isAnyKeyDown) != .wait else {
            return
        }
        for node in nodes { try node.grab() }
        self.gate = nil
    }
}
