internal import CLibevdev
internal import Glibc
package import Keystrokes

/// A way to keep scanners claimed while one daemon process ends and the next one starts.
///
/// The service manager keeps a copy of each claimed descriptor under a name. The claim lasts until the last copy is
/// closed. Keys that arrive while neither process runs wait in the descriptor's buffer.
package struct Handover: Sendable {
    /// A claimed node that the previous process left.
    package struct Node: Sendable {
        /// The name under which the service manager keeps the descriptor.
        package let name: String
        /// The descriptor, which the handover owns until a device takes it over.
        package let descriptor: Int32
        /// The scanner's state between two scans; nil if the previous process did not record it.
        package let rest: ScanAssembler.Rest?

        package init(name: String, descriptor: Int32, rest: ScanAssembler.Rest?) {
            self.name = name
            self.descriptor = descriptor
            self.rest = rest
        }

        /// Makes the device an ordinary keyboard again; all copies of the descriptor become useless.
        package func giveUp() {
            EvdevDevice.release(descriptor)
            close(descriptor)
        }
    }

    /// How long a scanner may take to finish a scan after ``ScannerReader/stop()``.
    package static let grace = Duration.seconds(1)

    package var nodes: [Node]
    /// A closure that asks the service manager to keep a copy of a descriptor under a name.
    package var keep: @Sendable (_ name: String, _ descriptor: Int32) -> Void

    package init(nodes: [Node], keep: @escaping @Sendable (String, Int32) -> Void) {
        self.nodes = nodes
        self.keep = keep
    }

    /// Creates a file in memory, and returns its descriptor; nil if the creation fails.
    package static func memoryFile(name: String) -> Int32? {
        let descriptor = clibevdev_memory_file(name)
        return descriptor < 0 ? nil : descriptor
    }

    static func name(of device: dev_t) -> String {
        "input-\(clibevdev_major(device))-\(clibevdev_minor(device))"
    }

    func has(_ device: dev_t) -> Bool { nodes.contains { $0.name == Self.name(of: device) } }

    mutating func remove(_ device: dev_t) -> Node? {
        let name = Self.name(of: device)
        return nodes.firstIndex { $0.name == name }.map { nodes.remove(at: $0) }
    }
}
