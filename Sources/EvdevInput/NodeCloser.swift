internal import CLibevdev
internal import Glibc
import WireText

/// Closes event nodes on a thread of its own, since the kernel may take 24 ms for each.
///
/// The thread waits in `read` and nowhere else, and ends when this is gone.
final class NodeCloser {
    private let pipe: Int32
    private var isEnding = false

    /// Starts the thread.
    ///
    /// - Throws: Where there is no pipe or thread to be had.
    init() throws(SystemCallError) {
        let (reading, writing) = try Self.ends()
        pipe = writing
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        try ReaderThread.start("node-closer", Work(reading: reading).run)
    }

    deinit {
        Glibc.close(pipe)
    }

    /// Closes a descriptor soon; here and now where that cannot be put off.
    func close(_ descriptor: Int32) {
        var descriptor = descriptor
        let size = MemoryLayout.size(ofValue: descriptor)
        guard !isEnding, write(pipe, &descriptor, size) == size else {
            Glibc.close(descriptor)
            return
        }
    }

    /// From now on descriptors are closed by the time ``close(_:)`` returns.
    func waitFromNowOn() {
        isEnding = true
    }

    private static func ends() throws(SystemCallError) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else {
            throw SystemCallError(operation: "pipe", errno: errno)
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// What the thread does.
    private struct Work {
        let reading: Int32

        func run() {
            var descriptor: Int32 = -1
            let size = MemoryLayout.size(ofValue: descriptor)
            while read(reading, &descriptor, size) == size { Glibc.close(descriptor) }
            Glibc.close(reading)
        }
    }
}
