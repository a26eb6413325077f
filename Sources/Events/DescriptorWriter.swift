import Glibc
package import WireText

/// A buffered writer on a file descriptor, which it neither opens nor closes.
///
/// Bytes leave in order and each once. What could not be written stays in the buffer, and the next
/// flush goes on behind the last byte that was taken. What was not flushed when the writer goes is
/// lost: flush before.
///
/// The process must ignore `SIGPIPE` (`signal(SIGPIPE, SIG_IGN)`); otherwise it is killed where
/// this type reports ``OutputError/closed(name:)``.
///
/// Non-blocking descriptors are waited for with `poll`; interrupted calls are made again.
package struct DescriptorWriter: ~Copyable, Sendable {
    /// From this many buffered bytes on, the next write flushes first.
    package static let threshold = 64 * 1024

    /// What errors call the descriptor.
    package let name: String

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// Bytes at the start of the buffer that a failed flush had written already.
    private var written = 0
    private var isClosed = false

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - descriptor: An open file descriptor; the caller keeps it open.
    ///   - name: What errors call it: a path, or `standard output`.
    package init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
        buffer.reserveCapacity(Self.threshold + 4096)
    }

    /// Makes a writer on the standard output.
    ///
    /// - Returns: The writer.
    package static func standardOutput() -> DescriptorWriter {
        DescriptorWriter(descriptor: STDOUT_FILENO, name: "standard output")
    }

    /// Takes bytes into the buffer, after flushing where it is full.
    ///
    /// - Parameter fill: Appends the bytes.
    /// - Throws: ``OutputError``, when flushing failed; then `fill` was not called.
    package mutating func write(_ fill: (inout [UInt8]) -> Void) throws(OutputError) {
        if isClosed { throw .closed(name: name) }
        if buffer.count - written >= Self.threshold { try flush() }
        fill(&buffer)
    }

    /// Takes bytes into the buffer, after flushing where it is full.
    ///
    /// - Parameter bytes: The bytes.
    /// - Throws: ``OutputError``, when flushing failed; then the bytes were not taken.
    package mutating func write(_ bytes: [UInt8]) throws(OutputError) {
        try write { $0.append(contentsOf: bytes) }
    }

    /// Writes everything in the buffer.
    ///
    /// - Throws: ``OutputError``.
    package mutating func flush() throws(OutputError) {
        if isClosed { throw .closed(name: name) }
        while written < buffer.count {
            let result = writeSome(atMost: .max)
            if result >= 0 {
                written += result
            } else {
                try recover(from: errno)
            }
        }
        buffer.removeAll(keepingCapacity: true)
        written = 0
    }

    /// Writes what the descriptor takes without making this thread wait.
    ///
    /// - Returns: Whether the buffer is empty now; false where somebody has to read first.
    /// - Throws: ``OutputError``.
    mutating func flushWithoutWaiting() throws(OutputError) -> Bool {
        if isClosed { throw .closed(name: name) }
        while written < buffer.count {
            guard hasRoom() else { return false }
            let result = writeSome(atMost: Self.alwaysFits)
            if result >= 0 {
                written += result
            } else if errno == EAGAIN {
                return false
            } else {
                try recover(from: errno)
            }
        }
        buffer.removeAll(keepingCapacity: true)
        written = 0
        return true
    }

    private func writeSome(atMost limit: Int) -> Int {
        buffer.withUnsafeBytes { bytes in
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...].prefix(limit))
            return Glibc.write(descriptor, rest.baseAddress, rest.count)
        }
    }

    /// What a pipe takes at once where `poll` says that it takes anything (pipe(7), `PIPE_BUF`).
    private static let alwaysFits = 4096

    private func hasRoom() -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&waiting, 1, 0) > 0
    }

    /// What ``DescriptorRoom`` waits for.
    var waitingDescriptor: Int32 { descriptor }

    /// Returns where writing may be tried again.
    private mutating func recover(from number: Int32) throws(OutputError) {
        switch number {
        case EINTR: return
        case EAGAIN, EWOULDBLOCK: try waitForRoom()
        case EPIPE, ECONNRESET:
            isClosed = true
            buffer = []
            written = 0
            throw .closed(name: name)
        default:
            throw .failed(SystemCallError(operation: "write", path: name, errno: number))
        }
    }

    /// Waits until a non-blocking descriptor takes bytes, or has an error that writing will name.
    private func waitForRoom() throws(OutputError) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&waiting, 1, -1) >= 0 || errno == EINTR else {
            throw .failed(SystemCallError(operation: "poll", path: name, errno: errno))
        }
    }
}

/// Why bytes could not be written.
package enum OutputError: Error, Equatable, Sendable {
    /// Whoever read has gone (`EPIPE`, `ECONNRESET`). A command ends quietly then: `keywedge replay … | head -1`.
    case closed(name: String)

    /// Anything else, for example a full disk.
    case failed(SystemCallError)
}

extension OutputError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .closed(let name): "\(Escaping.line.escaped(name)): nobody reads it any more"
        case .failed(let error): error.description
        }
    }
}

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
