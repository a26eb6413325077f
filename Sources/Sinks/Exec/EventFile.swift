import CMosquitto
import Glibc
import WireText

/// A file without a name that holds an event: a command's standard input.
///
/// It is never written to while the command runs, so that one that does not read holds nobody up.
struct EventFile: ~Copyable {
    /// Open for reading, at the start.
    let descriptor: Int32

    /// Makes a file of an event and a line feed.
    init(_ line: [UInt8]) throws(SystemCallError) {
        descriptor = cmosquitto_memory_file("keywedge-event")
        guard descriptor >= 0 else {
            throw SystemCallError(operation: "memfd_create", errno: errno)
        }
        let bytes = line + [UInt8(ascii: "\n")]
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else {
                throw SystemCallError(operation: "write", errno: errno)
            }
            rest = rest.dropFirst(max(0, count))
        }
        lseek(descriptor, 0, SEEK_SET)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
