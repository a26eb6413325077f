/// Reads a CSV file row by row; memory does not grow with the file.
struct CSVReader {
    /// What `next()` found.
    enum Step: Equatable {
        /// A row, in `fields`; the line (1-based) is the one it starts on.
        case row(line: Int)
        /// A row that cannot be read. Reading goes on with the line after the one it starts on.
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

    /// Starts at the beginning of a file and finds out its delimiter.
    ///
    /// - Parameters:
    ///   - input: Where the bytes come from.
    ///   - rowLimit: Most bytes in a row; keeps a lone quote from swallowing the file.
    /// - Throws: `ImportError.unreadable`, `.utf16` and `.utf8`.
    init(_ input: ByteInput, rowLimit: Int = 1 << 20) throws {
        self.input = input
        self.rowLimit = rowLimit
        scanner = CSVScanner(delimiter: UInt8(ascii: ","))
        try fill()
        if buffer[..<end].starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
        if buffer[..<end].starts(with: [0xFF, 0xFE]) || buffer[..<end].starts(with: [0xFE, 0xFF]) {
            throw ImportError.utf16(path: input.path)
        }
        // The byte order mark of UTF-8, as Windows-1252 reads it.
        if input.encoding == .windows1252, buffer[..<end].starts(with: "ï»¿".utf8) {
            throw ImportError.utf8(path: input.path, readAs: input.encoding)
        }
        let isAtEnd = scanner.isAtEnd
        scanner = CSVScanner(delimiter: Self.delimiter(of: buffer[start..<end]))
        scanner.isAtEnd = isAtEnd
    }

    /// Finds the next row; empty lines are none.
    mutating func next() throws -> Step {
        while start < end || !scanner.isAtEnd {
            switch scan() {
            case .row(let next, let lineBreaks):
                let rowLine = line
                let isEmpty = fields.count == 1 && fields[0].range.isEmpty && lineBreaks <= 1
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

    /// The text of a field of the row just read; nil where it is not UTF-8.
    func text(_ index: Int) -> String? {
        let field = fields[index]
        guard field.hasDoubledQuotes else {
            return String(validating: buffer[field.range], as: UTF8.self)
        }
        var bytes: [UInt8] = []
        var afterQuote = false
        for byte in buffer[field.range] {
            afterQuote = byte == CSVScanner.quote && !afterQuote
            if !afterQuote { bytes.append(byte) }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The first byte of a field that is no UTF-8, for the error.
    func firstInvalidByte(_ index: Int) -> UInt8 {
        var decoder = UTF8.ForwardParser()
        var bytes = buffer[fields[index].range].makeIterator()
        var offset = fields[index].range.lowerBound
        while case .valid(let scalar) = decoder.parseScalar(from: &bytes) { offset += scalar.count }
        return buffer[min(offset, buffer.count - 1)]
    }

    /// Gives up the row and goes on behind the line it starts on.
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

    /// Moves what is left to the front and reads more behind it.
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

    /// The delimiter the first line has most of; a comma where it has none.
    private static func delimiter(of bytes: ArraySlice<UInt8>) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var inQuotes = false
        for byte in bytes {
            if byte == CSVScanner.quote { inQuotes.toggle() }
            guard !inQuotes else { continue }
            if byte == 0x0A || byte == 0x0D { break }
            if delimiters.contains(byte) { counts[byte, default: 0] += 1 }
        }
        let most = counts.values.max() ?? 0
        return delimiters.first { counts[$0] == most } ?? delimiters[0]
    }

    private static let delimiters = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
}
