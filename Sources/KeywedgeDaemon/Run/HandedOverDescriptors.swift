import Glibc

/// The descriptors that the service manager hands over at the start: the sockets that it made, and what a
/// run before this one had it keep.
///
/// Protocol: sd_listen_fds_with_names(3).
package struct HandedOverDescriptors: Sendable {
    /// The first descriptor that is handed over.
    private static let first: Int32 = 3
    /// More than that nobody hands over to us.
    private static let most: Int32 = 256

    /// The sockets and FIFOs.
    package private(set) var sockets: [Int32] = []
    /// What was kept, by the name it was kept by.
    private(set) var kept: [(name: String, descriptor: Int32)] = []

    /// Reads what the service manager has put into the environment, once.
    ///
    /// - Parameter environment: The value of an environment variable, or nil.
    package init(environment: (String) -> String?) {
        guard environment("LISTEN_PID") == String(getpid()),
            let count = environment("LISTEN_FDS").flatMap(Int32.init),
            (1...Self.most).contains(count)
        else { return }
        let names = environment("LISTEN_FDNAMES")?.split(
            separator: ":", omittingEmptySubsequences: false)
        for (index, descriptor) in (Self.first..<Self.first + count).enumerated() {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            let name = names.flatMap { $0.indices.contains(index) ? String($0[index]) : nil }
            if let name, Self.isKept(name) {
                kept.append((name, descriptor))
            } else {
                sockets.append(descriptor)
            }
        }
    }

    private static func isKept(_ name: String) -> Bool {
        name.hasPrefix("input-") || name == HandoverNote.name
    }
}
