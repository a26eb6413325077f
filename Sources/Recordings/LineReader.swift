internal import Glibc
import WireText

/// One line of a recording, without its line end.
struct Line {
    /// The bytes; they are valid until the next line is read.
    let bytes: UnsafeRawBufferPointer
    /// False for a last line that the file does not end with a line end.
    let isTerminated: Bool
}

/// Cuts a source into lines, in one buffer of fixed size.
///
/// Memory does not grow with the file nor with a line: a line longer than ``longestLine`` is an
/// error.
struct LineReader: ~Copyable {
    /// The number of bytes a line may have.
    static let longestLine = 128 * 1024

    private static let capacity = 2 * longestLine

    private var source: ByteSource
    private let buffer: UnsafeMutableRawBufferPointer
    private var start = 0
    private var end = 0
    /// Whether the source has ended; the buffer may still hold lines.
    private(set) var isAtEnd = false
    /// The 1-based number of the line read last.
    private(set) var number = 0
    /// Whether an error ended the reading; there are no more lines then.
    private(set) var hasFailed = false

    init(_ source: consuming ByteSource) {
        self.source = source
        buffer = .allocate(byteCount: Self.capacity, alignment: 64)
    }

    deinit {
        buffer.deallocate()
    }

    /// What messages call the source.
    var name: String { source.name }

    /// What was read from the source and not yet given out as lines.
    var unread: UnsafeRawBufferPointer { .init(rebasing: buffer[start..<end]) }

    /// Passes over bytes that belong to no line, as a byte order mark.
    ///
    /// - Parameter count: At most the number of bytes in ``unread``.
    mutating func drop(_ count: Int) {
        start += count
    }

    /// The next line, or nil at the end.
    ///
    /// LF and CR LF end a line.
    ///
    /// - Returns: The line; its bytes are valid until the next call.
    /// - Throws: ``RecordingError`` of the source, or a bad line that is too long.
    mutating func next() throws(RecordingError) -> Line? {
        var searched = 0
        while !hasFailed {
            if let length = lengthOfLine(after: searched) {
                return try take(length, ending: 1)
            }
            searched = end - start
            if isAtEnd { return searched == 0 ? nil : try take(searched, ending: 0) }
            if searched > Self.longestLine { throw tooLong() }
            try fill()
        }
        return nil
    }

    /// Ends the reading because of a line.
    ///
    /// - Parameters:
    ///   - fault: What is wrong.
    ///   - line: The line read last.
    /// - Returns: An error that names source and line.
    mutating func fail(_ fault: LineFault, in line: Line) -> RecordingError {
        hasFailed = true
        return .badLine(
            name: name, line: number, expected: fault.expected,
            found: fault.found ?? Excerpt.start(of: line.bytes))
    }

    /// Reads once more from the source, behind what is unread.
    ///
    /// - Throws: ``RecordingError`` of the source.
    mutating func fill() throws(RecordingError) {
        if start > 0 {
            let rest = UnsafeRawBufferPointer(rebasing: buffer[start..<end])
            buffer.copyMemory(from: rest)
            end -= start
            start = 0
        }
        do {
            let count = try source.read(into: .init(rebasing: buffer[end...]))
            end += count
            if count == 0 { isAtEnd = true }
        } catch {
            hasFailed = true
            throw error
        }
    }

    @inline(__always)
    private func lengthOfLine(after searched: Int) -> Int? {
        guard let base = buffer.baseAddress.map({ $0 + start }) else { return nil }
        guard let lineEnd = memchr(base + searched, 0x0A, end - start - searched) else {
            return nil
        }
        return lineEnd - base
    }

    @inline(__always)
    private mutating func take(_ length: Int, ending: Int) throws(RecordingError) -> Line {
        if length > Self.longestLine { throw tooLong() }
        number += 1
        var last = start + length
        if last > start, buffer[last - 1] == 0x0D { last -= 1 }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[start..<last])
        start += length + ending
        return Line(bytes: bytes, isTerminated: ending == 1)
    }

    private mutating func tooLong() -> RecordingError {
        hasFailed = true
        return .badLine(
            name: name, line: number + 1,
            expected: "a line of at most \(Self.longestLine) bytes",
            found: "a longer one, which starts \(Excerpt.start(of: unread))")
    }
}

extension LineReader {
    /// Recognises the format of what is coming, and passes over a byte order mark.
    ///
    /// Reads as much as it takes and no more, so that a pipe that is still being written works.
    ///
    /// - Returns: The format.
    /// - Throws: ``RecordingError`` of the source, or that it is empty, binary or foreign.
    mutating func recogniseFormat() throws(RecordingError) -> RecordingFormat {
        var verdict = FormatRecogniser.Verdict.blank
        repeat {
            try fill()
            if let offset = unread.firstIndex(of: 0) { throw .binary(name: name, offset: offset) }
            if unread.starts(with: Self.byteOrderMark) { drop(Self.byteOrderMark.count) }
            let isWhole = isAtEnd || unread.count >= FormatRecogniser.reach
            verdict = FormatRecogniser.verdict(on: unread, isWhole: isWhole)
            if case .format(let format) = verdict { return format }
        } while !isAtEnd && unread.count < FormatRecogniser.reach
        if case .likely(let format) = verdict { return format }
        if case .foreign(let line, let found) = verdict {
            throw .unrecognised(name: name, line: line, found: found)
        }
        throw verdict == .comments ? .commentsAlone(name: name) : .empty(name: name)
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}

/// Lines of a file in messages.
enum Excerpt {
    /// The number of characters shown of a line.
    private static let limit = 60

    /// The start of `bytes`, which is put between quotation marks.
    ///
    /// Bytes that are not UTF-8 show as U+FFFD.
    ///
    /// - Parameter bytes: A line.
    /// - Returns: At most ``limit`` characters, then `…` where something was left out.
    static func start(of bytes: UnsafeRawBufferPointer) -> Phrase {
        "\(quoted: String(decoding: bytes.prefix(limit * 4 + 4), as: UTF8.self), upTo: limit)"
    }
}
