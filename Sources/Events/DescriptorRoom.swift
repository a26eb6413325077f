import Glibc
import WireText

/// Waits on a thread of its own until a descriptor takes bytes.
///
/// The tasks of a program share few threads, and none of those may wait for a slow reader.
enum DescriptorRoom {
    /// Returns when writing makes sense again: when there is room, or an error to be told of.
    static func wait(for descriptor: Int32) async {
        await withCheckedContinuation { continuation in
            do throws(SystemCallError) {
                try WaitingThread.start { wait(for: descriptor, continuation) }
            } catch {
                // Without a thread to be had, this one waits.
                wait(for: descriptor, continuation)
            }
        }
    }

    private static func wait(
        for descriptor: Int32, _ continuation: CheckedContinuation<Void, Never>
    ) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while poll(&waiting, 1, -1) < 0, errno == EINTR {}
        continuation.resume()
    }
}
