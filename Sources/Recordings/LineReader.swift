internal import Glibc
import WireText

/// A line of a recording, without its line ending.
struct Line {
    /// The bytes of the line, which are valid until the next line is read.
    let bytes: UnsafeRawBufferPointer
    let isTerminated: Bool

    func ends(with texts: [String]) -> Bool {
        texts.contains { bytes.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }
}

/// A reader that splits a source into lines; a line over ``longestLine`` bytes is an error.
struct LineReader: ~Copyable {
    static let longestLine = 128 * 1024
    private var source: ByteSource
    private let buffer: UnsafeMutableRawBufferPointer
    private var start = 0
    private var end = 0
    /// Whether the source has ended; the buffer may still contain lines.
    private var isAtEnd = false
    /// The 1-based number of the last line read.
    private var number = 0

    init(_ source: consuming ByteSource) {
        self.source = source
        buffer = .allocate(byteCount: 2 * Self.longestLine, alignment: 64)
    }

    deinit {
        buffer.deallocate()
    }

    var name: String { source.name }

    /// The bytes that were read from the source but not yet returned in a line.
    private var unread: UnsafeRawBufferPointer { .init(rebasing: buffer[start..<end]) }

    /// Reads the next line, which ends with LF or CR LF; nil at the end of the source.
    mutating func next() throws(RecordingError) -> Line? {
        var searched = 0
        while true {
            if let length = lengthOfLine(after: searched) {
                return try line(length, ending: 1)
            }
            searched = end - start
            if isAtEnd { return searched == 0 ? nil : try line(searched, ending: 0) }
            if searched > Self.longestLine { throw tooLong() }
            try fill()
        }
    }

    func error(_ fault: LineFault, in line: Line) -> RecordingError {
        .badLine(
            name: name, line: number, expected: fault.expected,
            found: fault.found ?? Phrase(startOf: line.bytes))
    }

    /// Reads once from the source and appends the bytes to ``unread``.
    private mutating func fill() throws(RecordingError) {
        if start > 0 {
            buffer.copyMemory(from: unread)
            end -= start
            start = 0
        }
        let count = try source.read(into: .init(rebasing: buffer[end...]))
        end += count
        if count == 0 { isAtEnd = true }
    }

    private func lengthOfLine(after searched: Int) -> Int? {
        guard let base = buffer.baseAddress.map({ $0 + start }),
            let lineEnd = memchr(base + searched, 0x0A, end - start - searched)
        else { return nil }
        return lineEnd - base
    }

    private mutating func line(_ length: Int, ending: Int) throws(RecordingError) -> Line {
        if length > Self.longestLine { throw tooLong() }
        number += 1
        var last = start + length
        if last > start, buffer[last - 1] == 0x0D { last -= 1 }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[start..<last])
        start += length + ending
        return Line(bytes: bytes, isTerminated: ending == 1)
    }

    private func tooLong() -> RecordingError {
        .badLine(
            name: name, line: number + 1,
            expected: "a line of at most \(Self.longestLine) bytes",
            found: "a longer one, which starts \(Phrase(startOf: unread))")
    }
}

extension LineReader {
    /// Recognises the format of the lines, and skips a byte order mark.
    mutating func recogniseFormat() throws(RecordingError) -> RecordingFormat {
        while true {
            try fill()
            if let offset = unread.firstIndex(of: 0) { throw .binary(name: name, offset: offset) }
            if unread.starts(with: Self.byteOrderMark) { start += Self.byteOrderMark.count }
            let isWhole = isAtEnd || unread.count >= FormatRecogniser.reach
            let verdict = FormatRecogniser.verdict(on: unread, isWhole: isWhole, name: name)
            if isWhole || verdict.isCertain { return try verdict.format.get() }
        }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}

/// The bytes of a recording, from a file descriptor or from memory.
struct ByteSource: ~Copyable {
    /// The path, or the name that messages show instead of a path.
    let name: String
    /// The open file; nil if the bytes are in memory.
    private let descriptor: Int32?
    private var memory: ArraySlice<UInt8> = []

    /// Opens a file, which the source later closes; `-` is standard input, which stays open.
    init(path: String) throws(RecordingError) {
        let isInput = path == "-"
        let descriptor = isInput ? STDIN_FILENO : Glibc.open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 {
            throw .systemCall(SystemCallError(operation: "open", path: path, errno: errno))
        }
        self.descriptor = descriptor
        name = isInput ? "standard input" : path
    }

    init(bytes: [UInt8], name: String) {
        (self.name, descriptor, memory) = (name, nil, bytes[...])
    }

    deinit {
        if let descriptor, descriptor != STDIN_FILENO { close(descriptor) }
    }

    /// Reads into `buffer`, which must not be empty; returns the number of bytes, or 0 at the end.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
        guard let descriptor else {
            let part = memory.prefix(buffer.count)
            buffer.copyBytes(from: part)
            memory = memory.dropFirst(part.count)
            return part.count
        }
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            if errno != EINTR {
                throw .systemCall(SystemCallError(operation: "read", path: name, errno: errno))
            }
        }
    }
}

extension Phrase {
    /// Quotes a line, shortened to 60 characters; bytes that are not UTF-8 become U+FFFD.
    init(startOf bytes: UnsafeRawBufferPointer) {
        // A character has at most four bytes; four more make `quoted` mark the text as shortened.
        self = "\(quoted: String(decoding: bytes.prefix(60 * 4 + 4), as: UTF8.self), upTo: 60)"
    }
}
