internal import Glibc

/// Reads small files, such as secrets, certificates and configurations, into memory.
package enum SmallFile {
    /// How long reading may wait for the bytes of a FIFO or a pipe.
    private static let patience = Duration.seconds(5)

    /// Reads a file of at most `limit` bytes; throws `EFBIG` if it is larger.
    ///
    /// Throws `ETIMEDOUT` for a FIFO whose writer does not come or does not end in time.
    package static func read(_ path: String, limit: Int) throws(SystemCallError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw SystemCallError(operation: "open", path: path, errno: errno)
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let end = ContinuousClock.now + patience
        while true {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let rest = max(.zero, end - ContinuousClock.now)
            guard poll(&waiting, 1, Int32(rest / .milliseconds(1))) != 0 else {
                throw SystemCallError(operation: "read", path: path, errno: ETIMEDOUT)
            }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else {
                throw SystemCallError(operation: "read", path: path, errno: errno)
            }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= limit else {
                throw SystemCallError(operation: "read", path: path, errno: EFBIG)
            }
        }
    }

    /// Reads a file that contains one line, and removes trailing line breaks.
    package static func line(_ path: String, limit: Int) throws(SystemCallError) -> [UInt8] {
        var bytes = try read(path, limit: limit)
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        return bytes
    }
}

extension SystemCallError {
    /// Whether the call failed because the file is larger than the limit.
    package var isFileTooLarge: Bool { errno == EFBIG }

    /// The error as a sentence about the file, such as `Cannot open "/etc/token": No such file or directory.`.
    package var sentence: String {
        "Cannot \(operation) \((path ?? "").quoted(upTo: .max)): \(text)."
    }
}
