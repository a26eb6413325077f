import Glibc
package import WireText

/// Reads files that hold a secret or a certificate.
package enum SmallFile {
    /// Reads a file whole.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: How many bytes it may have.
    /// - Returns: Its content.
    /// - Throws: `SystemCallError`; its number is `EFBIG` for a larger file.
    package static func read(_ path: String, limit: Int) throws(SystemCallError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SystemCallError(operation: "open", path: path, errno: errno)
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Self.read(descriptor, &buffer)
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

    /// Whether everybody on the box may read a file.
    ///
    /// - Parameter path: The file.
    /// - Returns: False also where nothing is known of it.
    package static func isReadableByAll(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IROTH != 0
    }

    private static func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
        Glibc.read(descriptor, &buffer, buffer.count)
    }
}

extension SystemCallError {
    /// The error as the service's commands tell it.
    package var sentence: String {
        "Cannot \(operation) \((path ?? "").quoted(upTo: .max)): \(text)."
    }
}
