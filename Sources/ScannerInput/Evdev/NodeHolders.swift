internal import CLibevdev
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

/// Finds the processes that have event nodes open.
///
/// The kernel does not show which of them has claimed a node. Without the right to look into the
/// processes of other users, those are missing.
package enum NodeHolders {
    /// The processes that have each node open, in ascending order; a node that no process has open
    /// has no entry.
    package static func find(_ nodes: [String]) -> [String: [NodeHolder]] {
        let kernel = KernelDevices()
        var byNumber: [dev_t: String] = [:]
        for node in nodes {
            if let number = kernel.number(at: node) { byNumber[number] = node }
        }
        var holders: [String: [NodeHolder]] = [:]
        for process in (KernelFile.names(in: "/proc") ?? []).compactMap(Int32.init).sorted() {
            let folder = "/proc/\(process)/fd"
            let open = (KernelFile.names(in: folder) ?? [])
                .compactMap { kernel.number(at: "\(folder)/\($0)") }.compactMap { byNumber[$0] }
            guard !open.isEmpty else { continue }
            let command = (KernelFile.read("/proc/\(process)/comm") ?? "").prefix { $0 != "\n" }
            for node in Set(open) {
                holders[node, default: []].append(
                    NodeHolder(process: process, command: String(command)))
            }
        }
        return holders
    }
}
