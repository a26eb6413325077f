internal import CLibevdev
internal import Glibc
package import Keystrokes

/// What keeps scanners grabbed from one process of the daemon to the next.
///
/// Somebody outside of both keeps a copy of each grabbed descriptor, by a name of ours. The kernel takes a
/// grab back with the last copy, and what is typed meanwhile waits in the descriptor's buffer.
package struct Handover: Sendable {
    /// A grabbed node that the process before has left.
    package struct Node: Sendable {
        /// What it is kept by.
        package let name: String
        /// The descriptor; whoever has the handover owns it.
        package let descriptor: Int32
        /// How its scanner was left between two scans; nil where nobody knows what was read.
        package let rest: ScanAssembler.Rest?

        package init(name: String, descriptor: Int32, rest: ScanAssembler.Rest?) {
            self.name = name
            self.descriptor = descriptor
            self.rest = rest
        }
    }

    /// How long a scanner may take to come to the end of a scan, once the reader is told to stop.
    package static let grace = Duration.seconds(1)

    /// What the process before has left.
    package var nodes: [Node]
    /// Has a copy of a descriptor kept; it waits for nothing.
    package var keep: @Sendable (_ name: String, _ descriptor: Int32) -> Void
    /// Has a copy given up; it waits for nothing.
    package var drop: @Sendable (_ name: String) -> Void

    /// Makes a handover.
    ///
    /// - Parameters:
    ///   - nodes: What the process before has left.
    ///   - keep: Has a copy of a descriptor kept.
    ///   - drop: Has a copy given up.
    package init(
        nodes: [Node], keep: @escaping @Sendable (String, Int32) -> Void,
        drop: @escaping @Sendable (String) -> Void
    ) {
        self.nodes = nodes
        self.keep = keep
        self.drop = drop
    }

    /// A file in memory, which lives as long as somebody keeps its descriptor.
    ///
    /// - Parameter name: What the system calls it.
    /// - Returns: The descriptor; nil where the kernel has none to give.
    package static func memoryFile(name: String) -> Int32? {
        let descriptor = clibevdev_memory_file(name)
        return descriptor < 0 ? nil : descriptor
    }

    /// What the descriptor of a device is kept by.
    static func name(of device: dev_t) -> String {
        "input-\(clibevdev_major(device))-\(clibevdev_minor(device))"
    }

    /// The node that was left of a device; it is no longer in ``nodes``.
    mutating func take(_ device: dev_t) -> Node? {
        let name = Self.name(of: device)
        return nodes.firstIndex { $0.name == name }.map { nodes.remove(at: $0) }
    }

    /// Gives up a node that was left.
    ///
    /// - Parameter node: The node.
    package func giveUp(_ node: Node) {
        // Whoever keeps the copy may never hear of it.
        _ = clibevdev_ungrab(node.descriptor)
        drop(node.name)
        close(node.descriptor)
    }
}
