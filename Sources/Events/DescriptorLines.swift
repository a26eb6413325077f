import Glibc
import WireText

/// Reads lines from a file descriptor, which it neither opens nor closes.
///
/// A line ends with a line feed, or a carriage return and a line feed; the last one may end with
/// the file, or a carriage return and the file. Memory holds one line and 64 KiB.
package struct DescriptorLines: LineSource {
    private let descriptor: Int32
    private let name: String
    private let limit: Int
    private var chunk: ArraySlice<UInt8> = []
    private var number = 0
    private var isAtEnd = false
    private var isInALineTooLong = false

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - descriptor: An open file descriptor; the caller keeps it open.
    ///   - name: What errors call it: a path.
    ///   - limit: The most bytes a line may have.
    package init(descriptor: Int32, name: String, limit: Int = 1 << 20) {
        self.descriptor = descriptor
        self.name = name
        self.limit = limit
    }

    /// Reads the next line.
    ///
    /// - Returns: The line without its end; `nil` at the end of the file.
    /// - Throws: ``SystemCallError``, or ``LineTooLongError``; the next line can be read all the same.
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

/// A line with more bytes than a line may have.
package struct LineTooLongError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file.
    package let path: String

    /// The line, from 1.
    package let line: Int

    /// The most bytes a line may have.
    package let limit: Int

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - line: The line, from 1.
    ///   - limit: The most bytes a line may have.
    package init(path: String, line: Int, limit: Int) {
        self.path = path
        self.line = line
        self.limit = limit
    }

    package var description: String {
        "\(Escaping.line.escaped(path)):\(line): expected at most \(limit) bytes, found more"
    }
}

/// Where lines come from, one at a time.
package protocol LineSource {
    /// Gives the next line.
    ///
    /// - Returns: The line without its end; `nil` when there are no more.
    /// - Throws: What kept it from being read.
    mutating func next() throws -> [UInt8]?
}
