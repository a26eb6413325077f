import Glibc

/// Reads a CSV file row by row; memory does not grow with the file.
struct CSVReader {
    /// What `next()` found.
    enum Step: Equatable {
        /// A row, in `fields`; the line (1-based) is the one it starts on.
        case row(line: Int)
        /// A row that cannot be read. Reading continues with the line after the one it starts on.
        case malformed(line: Int, InvalidRow.Reason)
        /// The end of the file.
        case end
    }

    /// Bytes read so far.
    private(set) var bytesRead = 0
    /// The fields of the row just read.
    private(set) var fields: [CSVField] = []

    private var input: ByteInput
    private let rowLimit: Int
    private var scanner: CSVScanner
    private var buffer: [UInt8] = []
    private var start = 0
    private var end = 0
    private var line = 1

    /// Finds the header of a file, after any titles, and what separates its fields.
    init(
        _ input: ByteInput, rowLimit: Int = 1 << 20,
        isHeader: ([String]) -> Bool
    ) throws {
        self.input = input
        self.rowLimit = rowLimit
        scanner = CSVScanner(delimiter: UInt8(ascii: ","))
        var table: TableStart
        repeat {
            try fill()
            if let encoding = LikelyEncoding.utf16(buffer[..<end]) {
                throw ImportError.notUTF8(path: input.path, likely: encoding)
            }
            let first = buffer[..<end].starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            table = TableStart(
                buffer, first..<end, isAtEnd: scanner.isAtEnd, isHeader: isHeader)
            // A pipe may give the header in pieces.
        } while !table.hasHeader && !scanner.isAtEnd && end < Self.head
        let isAtEnd = scanner.isAtEnd
        scanner = CSVScanner(delimiter: table.delimiter)
        scanner.isAtEnd = isAtEnd
        (start, line) = (table.offset, table.line)
    }

    /// Finds the next row; lines without a text are none.
    mutating func next() throws -> Step {
        while start < end || !scanner.isAtEnd {
            switch scan() {
            case .row(let next, let lineBreaks):
                let rowLine = line
                let isEmpty = lineBreaks <= 1 && fields.allSatisfy { $0.range.isEmpty }
                start = next
                line += lineBreaks
                if !isEmpty { return .row(line: rowLine) }
            case .incomplete(let inQuotes):
                if scanner.isAtEnd { return try skipLine(.unclosedQuote) }
                if end - start > rowLimit {
                    return try skipLine(inQuotes ? .unclosedQuote : .tooLong(limit: rowLimit))
                }
                try fill()
            case .textAfterQuote(let field):
                return try skipLine(.textAfterQuote(field: field))
            }
        }
        return .end
    }

    /// Scans the row that starts at `start`; the buffer is borrowed, so the rest is moved aside.
    private mutating func scan() -> CSVScanner.Result {
        var scanner = scanner
        var fields: [CSVField] = []
        swap(&fields, &self.fields)
        let result = scanner.scan(buffer.span, from: start, to: end, fields: &fields)
        swap(&fields, &self.fields)
        return result
    }

    /// The text of a field of the row just read; nil if it is not UTF-8.
    func text(_ index: Int) -> String? { fields[index].text(in: buffer) }

    /// Whether a field of the row just read contains a NUL character.
    func hasNUL(_ index: Int) -> Bool {
        let range = fields[index].range
        return buffer.withUnsafeBytes { bytes in
            guard let first = bytes.baseAddress else { return false }
            return memchr(first + range.lowerBound, 0, range.count) != nil
        }
    }

    /// The encoding that the file probably has if a field is not UTF-8; nil if only that field is damaged.
    var likelyEncoding: String? { LikelyEncoding.name(of: buffer[..<end]) }

    /// The first byte of a field that is no UTF-8, for the error.
    func firstInvalidByte(_ index: Int) -> UInt8 {
        var decoder = UTF8.ForwardParser()
        var bytes = buffer[fields[index].range].makeIterator()
        var offset = fields[index].range.lowerBound
        while case .valid(let scalar) = decoder.parseScalar(from: &bytes) { offset += scalar.count }
        return buffer[min(offset, buffer.count - 1)]
    }

    /// Gives up the row and continues after the line it starts on.
    private mutating func skipLine(_ reason: InvalidRow.Reason) throws -> Step {
        let rowLine = line
        line += 1
        while start < end || !scanner.isAtEnd {
            guard
                let lineBreak = buffer[start..<end].firstIndex(where: { $0 == 0x0A || $0 == 0x0D })
            else {
                start = end
                try fill()
                continue
            }
            start = lineBreak
            // The line feed of a CRLF may not have been read yet.
            if buffer[start] == 0x0D, start + 1 == end, !scanner.isAtEnd { try fill() }
            let isPair = buffer[start] == 0x0D && start + 1 < end && buffer[start + 1] == 0x0A
            start += isPair ? 2 : 1
            break
        }
        return .malformed(line: rowLine, reason)
    }

    /// Moves what is left to the front and appends more.
    private mutating func fill() throws {
        if start > 0 {
            let rest = start..<end
            buffer.withUnsafeMutableBytes { bytes in
                bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[rest]))
            }
            end -= start
            start = 0
        }
        if buffer.count < end + Self.chunk {
            buffer += repeatElement(0, count: end + Self.chunk - buffer.count)
        }
        let free = end
        let count = try buffer.withUnsafeMutableBytes { bytes in
            try input.read(into: .init(rebasing: bytes[free...]))
        }
        end += count
        bytesRead += count
        scanner.isAtEnd = count == 0
    }

    private static let chunk = 1 << 18
    /// How much to read if there is no header.
    private static let head = 1 << 15
}
