internal import CLibevdev
internal import Glibc

/// A process that has an event node open.
public struct NodeHolder: Hashable, Sendable {
    /// The process's number.
    public var process: Int32
    /// The name of its command (`/proc/…/comm`); as trustworthy as the process.
    public var command: String

    /// Makes a holder.
    ///
    /// - Parameters:
    ///   - process: The process's number.
    ///   - command: The name of its command.
    public init(process: Int32, command: String) {
        self.process = process
        self.command = command
    }
}

/// Finds out who has event nodes open.
///
/// The kernel does not tell who holds a grab; it is one of those who have the node open. Without
/// the right to look into other users' processes, theirs are missing.
public enum NodeHolders {
    /// The processes that have nodes open, by node.
    ///
    /// - Parameter nodes: The nodes.
    /// - Returns: For each node at least one process has open, the processes in ascending order.
    public static func find(_ nodes: [String]) -> [String: [NodeHolder]] {
        var byNumber: [dev_t: String] = [:]
        for node in nodes {
            if let number = EventNodes.device(at: node) { byNumber[number] = node }
        }
        var holders: [String: [NodeHolder]] = [:]
        for process in (SmallFile.names(in: "/proc") ?? []).compactMap(Int32.init).sorted() {
            for node in openNodes(of: process, among: byNumber) {
                let command = SmallFile.read("/proc/\(process)/comm") ?? ""
                holders[node, default: []].append(
                    NodeHolder(process: process, command: String(command.prefix { $0 != "\n" })))
            }
        }
        return holders
    }

    private static func openNodes(of process: Int32, among nodes: [dev_t: String]) -> Set<String> {
        let folder = "/proc/\(process)/fd"
        let files = SmallFile.names(in: folder) ?? []
        return Set(
            files.compactMap { EventNodes.device(at: "\(folder)/\($0)") }
                .compactMap { nodes[$0] })
    }
}
