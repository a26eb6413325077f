internal import Glibc

/// Functions that read small files, such as secrets, certificates and configurations, into memory.
package enum SmallFile {
    /// Reads a file of at most `limit` bytes; throws `EFBIG` if it is larger.
    ///
    /// Throws `ETIMEDOUT` if the file is a FIFO or pipe and its writer does not finish within `patience`.
    package static func read(
        _ path: String, limit: Int, patience: Duration = .seconds(5)
    ) throws(SystemCallError) -> [UInt8] {
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
            let ready = poll(&waiting, 1, Int32(rest / .milliseconds(1)))
            guard ready > 0 || ready < 0 && errno == EINTR else {
                let number = ready == 0 ? ETIMEDOUT : errno
                throw SystemCallError(operation: "read", path: path, errno: number)
            }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN && rest > .zero { continue }
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

    /// Returns the content of a file, such as a one-line secret, without the line breaks at its end.
    package static func line(_ path: String, limit: Int) throws(SystemCallError) -> [UInt8] {
        var bytes = try read(path, limit: limit)
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        return bytes
    }
}

extension SystemCallError {
    package var isFileTooLarge: Bool { errno == EFBIG }

    /// The error as a sentence, such as `Cannot open "/etc/token": No such file or directory.`.
    package var sentence: String {
        "Cannot \(operation) \((path ?? "").quoted(upTo: .max)): \(text)."
    }
}
