import Glibc
import WireText

/// Reads lines from a file descriptor, which it neither opens nor closes.
///
/// A line ends with a line feed, or with a carriage return and a line feed; the last line may end with the file. Memory
/// use is limited to one line and 64 KiB.
package struct DescriptorLines: LineSource {
    private let descriptor: Int32
    private let name: String
    private let limit: Int
    private var chunk: ArraySlice<UInt8> = []
    private var number = 0
    private var isAtEnd = false
    private var isInALineTooLong = false

    package init(descriptor: Int32, name: String, limit: Int = 1 << 20) {
        self.descriptor = descriptor
        self.name = name
        self.limit = limit
    }

    /// Reads the next line without its end; nil at the end of the file.
    ///
    /// - Throws: ``SystemCallError``, or ``LineTooLongError``, after which the next line can still be read.
    package mutating func next() throws -> [UInt8]? {
        if isInALineTooLong { try skipTheLine() }
        var line: [UInt8] = []
        number += 1
        while true {
            if chunk.isEmpty { try fill() }
            if isAtEnd { return line.isEmpty ? nil : Self.withoutReturn(line) }
            let end = chunk.firstIndex(of: UInt8(ascii: "\n"))
            line.append(contentsOf: chunk[..<(end ?? chunk.endIndex)])
            guard line.count <= limit else {
                isInALineTooLong = true
                throw LineTooLongError(path: name, line: number, limit: limit)
            }
            guard let end else {
                chunk = []
                continue
            }
            chunk = chunk[(end + 1)...]
            return Self.withoutReturn(line)
        }
    }

    private mutating func skipTheLine() throws {
        while true {
            if chunk.isEmpty { try fill() }
            let end = chunk.firstIndex(of: UInt8(ascii: "\n"))
            chunk = end.map { chunk[($0 + 1)...] } ?? []
            guard end == nil, !isAtEnd else { break }
        }
        isInALineTooLong = false
    }

    private static func withoutReturn(_ line: [UInt8]) -> [UInt8] {
        line.last == UInt8(ascii: "\r") ? Array(line.dropLast()) : line
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

/// A line is longer than allowed.
package struct LineTooLongError: Error, Equatable, Sendable, CustomStringConvertible {
    package let path: String

    /// The 1-based line number.
    package let line: Int

    /// The maximum length in bytes.
    package let limit: Int

    package var description: String {
        "\(Escaping.line.escaped(path)):\(line): expected at most \(limit) bytes, found more"
    }
}

/// A source of lines, read one at a time.
package protocol LineSource {
    /// Reads the next line without its end; nil after the last line.
    mutating func next() throws -> [UInt8]?
}
