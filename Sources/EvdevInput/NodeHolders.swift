internal import CLibevdev
internal import Glibc
import WireText

/// A process that has an event node open.
package struct NodeHolder: Hashable, Sendable {
    /// The process's number.
    package var process: Int32
    /// The name of its command (`/proc/…/comm`); as trustworthy as the process.
    package var command: String

    package init(process: Int32, command: String) {
        self.process = process
        self.command = command
    }
}

/// Finds out who has event nodes open.
///
/// The kernel does not tell who holds a grab; it is one of those who have the node open. Without
/// the right to look into other users' processes, theirs are missing.
package enum NodeHolders {
    /// The processes that have nodes open, by node.
    ///
    /// - Parameter nodes: The nodes.
    /// - Returns: For each node at least one process has open, the processes in ascending order.
    package static func find(_ nodes: [String]) -> [String: [NodeHolder]] {
        var byNumber: [dev_t: String] = [:]
        for node in nodes {
            if let number = EventNodes.device(at: node) { byNumber[number] = node }
        }
        var holders: [String: [NodeHolder]] = [:]
        for process in (KernelFile.names(in: "/proc") ?? []).compactMap(Int32.init).sorted() {
            for node in openNodes(of: process, among: byNumber) {
                let command = KernelFile.read("/proc/\(process)/comm") ?? ""
                holders[node, default: []].append(
                    NodeHolder(process: process, command: String(command.prefix { $0 != "\n" })))
            }
        }
        return holders
    }

    private static func openNodes(of process: Int32, among nodes: [dev_t: String]) -> Set<String> {
        let folder = "/proc/\(process)/fd"
        let files = KernelFile.names(in: folder) ?? []
        return Set(
            files.compactMap { EventNodes.device(at: "\(folder)/\($0)") }
                .compactMap { nodes[$0] })
    }
}

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
