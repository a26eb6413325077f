internal import CLibevdev
internal import Glibc
public import Keystrokes

/// Reads the raw events of one device, for `record` and `monitor`.
///
/// Everybody else goes on getting the events too, unless a grab is asked for.
public final class RawReader {
    private let node: InputNode
    private var hasMore = false

    /// Opens a device.
    ///
    /// - Parameters:
    ///   - path: The node or a link to it.
    ///   - grabs: Whether nobody else is to get the events.
    /// - Throws: The first call that fails; `EBUSY` where another process holds the grab.
    public init(path: String, grabs: Bool = false) throws(SystemCallError) {
        node = try InputNode(path: path)
        if grabs { try node.grab() }
    }

    /// Who the device is and what it can send.
    public var description: DeviceDescription { node.description }

    /// Waits for events.
    ///
    /// - Parameter timeout: How long at the most.
    /// - Returns: The events that came, in order; none where the time is over or a signal came.
    /// - Throws: `ENODEV` where the device is gone.
    public func events(within timeout: Duration) throws(SystemCallError) -> [KeyEvent] {
        if !hasMore {
            var descriptor = pollfd(fd: node.descriptor, events: Int16(POLLIN), revents: 0)
            let milliseconds = Int32(clamping: (max(timeout.microseconds, 0) + 999) / 1_000)
            guard poll(&descriptor, 1, milliseconds) > 0 else { return [] }
        }
        var events: [KeyEvent] = []
        hasMore = try node.read(into: &events)
        return events
    }
}
