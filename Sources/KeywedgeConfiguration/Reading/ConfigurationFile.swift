import Foundation
import WireText

/// The bytes of a configuration file, and the text they are.
enum ConfigurationFile {
    /// The longest file that is read, in bytes.
    static let longest = 1 << 20

    /// Reads a file, or what is written to a pipe.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - context: Where problems go.
    /// - Returns: The text; nil after a problem, and where the file cannot be read.
    static func text(path: String, _ context: ReadingContext) -> String? {
        guard !path.contains("\0") else {
            context.report(expected: "a path without a NUL", found: "one with a NUL in it")
            return nil
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            context.unreadable = SystemCallError(operation: "open", path: path, errno: errno)
            return nil
        }
        defer { close(descriptor) }
        guard let bytes = bytes(descriptor, of: path, context) else { return nil }
        return text(bytes, context)
    }

    /// Reads until the end of the file, and no further than one byte past what is allowed.
    private static func bytes(
        _ descriptor: Int32, of path: String, _ context: ReadingContext
    ) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= longest {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0 {
                if errno == EINTR { continue }
                context.unreadable = SystemCallError(operation: "read", path: path, errno: errno)
                return nil
            }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
        context.report(expected: "a file of at most \(longest) bytes", found: "a longer one")
        return nil
    }

    /// The text that bytes are; a line that is no UTF-8 is reported.
    static func text(_ bytes: [UInt8], _ context: ReadingContext) -> String? {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
        context.report(line: (line ?? 0) + 1, expected: "text in UTF-8", found: "other bytes")
        return nil
    }
}
