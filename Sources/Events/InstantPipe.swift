import Glibc

/// A second way into a pipe, that takes a line whole and at once or not at all.
///
/// Writing here never waits, whatever becomes of writing to the descriptor it was made of. The
/// process must ignore `SIGPIPE`, as for ``DescriptorWriter``.
public final class InstantPipe: Sendable {
    /// What a pipe takes whole or not at all (pipe(7), `PIPE_BUF`).
    public static let longestLine = 4096

    private let descriptor: Int32

    /// Opens the pipe that a descriptor writes to.
    ///
    /// - Parameter written: An open descriptor; nil is returned where it is no pipe, or where the
    ///   pipe cannot be opened: it takes `/proc`, and the right to write to it.
    public init?(into written: Int32) {
        var status = stat()
        guard fstat(written, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return nil }
        // `O_NONBLOCK` belongs to the open file and not to the descriptor: set on a standard output,
        // it would hold for everybody who writes there.
        descriptor = open("/proc/self/fd/\(written)", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// Writes a line.
    ///
    /// - Parameter line: At most ``longestLine`` bytes.
    /// - Returns: Whether all of it is in the pipe; false where nothing of it is.
    public func write(_ line: [UInt8]) -> Bool {
        guard line.count <= Self.longestLine else { return false }
        return line.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } > 0
    }
}
