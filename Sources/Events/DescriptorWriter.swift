import Glibc
package import WireText

/// A buffered writer for a file descriptor that the caller opens and closes.
///
/// After a failed write, the next flush resumes with the unwritten bytes, unless the reader has closed its end. Call
/// ``flush()`` before the writer is destroyed; otherwise the buffered bytes are lost.
///
/// The process must ignore `SIGPIPE` (`signal(SIGPIPE, SIG_IGN)`); otherwise the signal kills it before this type can
/// report ``OutputError/closed(name:)``.
package struct DescriptorWriter: ~Copyable, Sendable {
    /// The number of buffered bytes at which the next write begins with a flush.
    package static let threshold = 64 * 1024

    private let name: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// How many bytes at the start of the buffer are already written.
    private var written = 0
    private var isClosed = false

    package init(descriptor: Int32 = STDOUT_FILENO, name: String = "standard output") {
        self.descriptor = descriptor
        self.name = name
        buffer.reserveCapacity(Self.threshold + 4096)
    }

    /// Flushes the buffer if it is full, and then lets `fill` append to it.
    ///
    /// - Throws: ``OutputError`` if the flush fails or the reader has closed its end; `fill` is then not called.
    package mutating func write(_ fill: (inout [UInt8]) -> Void) throws(OutputError) {
        if isClosed { throw .closed(name: name) }
        if buffer.count - written >= Self.threshold { try flush() }
        fill(&buffer)
    }

    package mutating func write(_ bytes: [UInt8]) throws(OutputError) {
        try write { $0.append(contentsOf: bytes) }
    }

    package mutating func flush() throws(OutputError) {
        if isClosed { throw .closed(name: name) }
        while written < buffer.count {
            let result = buffer.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                return Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            if result >= 0 { written += result } else { try recover(from: errno) }
        }
        buffer.removeAll(keepingCapacity: true)
        written = 0
    }

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

    /// Waits until a non-blocking descriptor accepts bytes or has an error.
    private func waitForRoom() throws(OutputError) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&waiting, 1, -1) >= 0 || errno == EINTR else {
            throw .failed(SystemCallError(operation: "poll", path: name, errno: errno))
        }
    }
}

package enum OutputError: Error, Equatable, Sendable {
    /// The reader closed its end (`EPIPE`, `ECONNRESET`), as in `keywedge … | head -1`.
    case closed(name: String)

    case failed(SystemCallError)

    /// Whether writing failed because the disk or the user's quota is full; a later write may succeed.
    var isFullDisk: Bool {
        if case .failed(let error) = self { [ENOSPC, EDQUOT].contains(error.errno) } else { false }
    }
}

extension OutputError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .closed(let name): "\(Escaping.line.escaped(name)): the reader has closed it"
        case .failed(let error): error.description
        }
    }
}
