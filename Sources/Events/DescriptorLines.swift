import Glibc
import WireText

/// A line reader for a file descriptor that the caller opens and closes.
///
/// A line ends with a line feed, or with a carriage return and a line feed; the last line may lack a line ending. The
/// reader holds at most one line and a 64 KiB buffer in memory.
package struct DescriptorLines {
    private let descriptor: Int32
    private let name: String
    private let limit: Int
    private var chunk: ArraySlice<UInt8> = []
    private var number = 0
    private var isAtEnd = false

    package init(descriptor: Int32, name: String, limit: Int = 1 << 20) {
        (self.descriptor, self.name, self.limit) = (descriptor, name, limit)
    }

    /// Returns the next line without its line ending; nil at the end of the file.
    ///
    /// - Throws: ``SystemCallError``, or ``LineTooLongError`` after a line that is too long.
    package mutating func next() throws -> [UInt8]? {
        var line: [UInt8] = []
        var isTooLong = false
        var end: Int?
        number += 1
        repeat {
            if chunk.isEmpty { try fill() }
            if chunk.isEmpty, line.isEmpty { return nil }
            end = chunk.firstIndex(of: UInt8(ascii: "\n"))
            if !isTooLong { line += chunk[..<(end ?? chunk.endIndex)] }
            isTooLong = line.count > limit
            chunk = end.map { chunk[($0 + 1)...] } ?? []
        } while end == nil && !isAtEnd
        if isTooLong { throw LineTooLongError(path: name, line: number, limit: limit) }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line
    }

    private mutating func fill() throws {
        guard !isAtEnd else { return }
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        var count = -1
        repeat {
            count = read(descriptor, &buffer, buffer.count)
        } while count < 0 && errno == EINTR
        guard count >= 0 else {
            throw SystemCallError(operation: "read", path: name, errno: errno)
        }
        isAtEnd = count == 0
        chunk = buffer[..<count]
    }
}

package struct LineTooLongError: Error, Equatable, Sendable, CustomStringConvertible {
    let path: String
    let line: Int
    let limit: Int

    package var description: String {
        "\(Escaping.line.escaped(path)):\(line): expected at most \(limit) bytes, found more"
    }
}
