import WireText

/// Reads a CSV file row by row; memory does not grow with the file.
///
/// The header is the first row that names a column of ids or codes; titles ahead of it are skipped. A line
/// `sep=;`, as spreadsheets write it, says the delimiter; otherwise it is the one of comma, semicolon, tab
/// and bar that gives the header most fields.
struct CSVReader {
    /// What `next()` found.
    enum Step {
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
    var fields: [CSVField] { scanner.fields }

    private var input: ByteInput
    private var scanner = CSVScanner(delimiter: UInt8(ascii: ","))
    private var buffer: [UInt8] = []
    private var start = 0
    private var end = 0
    private var line = 1

    private static let chunk = 1 << 18
    private static let rowLimit = 1 << 20
    /// How much to read if there is no header.
    private static let head = 1 << 15
    /// How many rows may come before the header.
    private static let mostTitles = 20

    /// Finds the header of a file, and what separates its fields.
    init(_ input: ByteInput, isHeader: ([String]) -> Bool) throws {
        self.input = input
        // A pipe may give the header in pieces.
        repeat {
            start = 0
            try fill()
            if let encoding = LikelyEncoding.utf16(buffer[..<end]) {
                throw ImportError.notUTF8(likely: encoding)
            }
        } while !findTable(isHeader) && !scanner.isAtEnd && end < Self.head
    }

    /// A row ahead of the table, or the first of it.
    private struct FirstRow {
        let offset, line: Int
        let delimiter: UInt8
        let names: [String]
    }

    /// Goes to the header, and returns whether there is one.
    private mutating func findTable(_ isHeader: ([String]) -> Bool) -> Bool {
        let first = buffer[..<end].starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var delimiters = Array(",;\t|".utf8)
        (start, line) = (first, 1)
        if let (separator, next) = Self.separatorLine(buffer[first..<end]) {
            (delimiters, start, line) = ([separator], next, 2)
        }
        let rows = delimiters.flatMap(firstRows)
        let headers = rows.filter { isHeader($0.names) }
        // Without a header, the first row of several fields shows the delimiter.
        let table = headers.isEmpty ? rows.filter { $0.names.count > 1 } : headers
        let best = table.min { ($0.offset, -$0.names.count) < ($1.offset, -$1.names.count) }
        let isAtEnd = scanner.isAtEnd
        scanner = CSVScanner(delimiter: best?.delimiter ?? delimiters[0])
        scanner.isAtEnd = isAtEnd
        if let best { (start, line) = (best.offset, best.line) }
        return !headers.isEmpty
    }

    /// The first rows, if that byte separates their fields.
    private func firstRows(_ delimiter: UInt8) -> [FirstRow] {
        var scanner = CSVScanner(delimiter: delimiter)
        scanner.isAtEnd = self.scanner.isAtEnd
        var (offset, line) = (start, line)
        var rows: [FirstRow] = []
        while rows.count <= Self.mostTitles, offset < end,
            let next = try? scanner.scan(buffer.span.extracting(..<end), from: offset)
        {
            let names = scanner.fields.map { $0.text(in: buffer) ?? "" }
            rows.append(FirstRow(offset: offset, line: line, delimiter: delimiter, names: names))
            offset = next
            line += scanner.lineBreaks
        }
        return rows
    }

    /// The delimiter that a first line `sep=;` names, and where the next line begins.
    private static func separatorLine(_ bytes: ArraySlice<UInt8>) -> (UInt8, next: Int)? {
        let line = bytes.prefix { $0 != CSVScanner.lineFeed && $0 != CSVScanner.carriageReturn }
        let text = line.filter { $0 != CSVScanner.quote }
        guard text.count == 5, line.endIndex < bytes.endIndex,
            String(decoding: text.prefix(4), as: UTF8.self).lowercased() == "sep="
        else { return nil }
        let isPair = bytes[line.endIndex...].starts(with: "\r\n".utf8)
        return (text[4], line.endIndex + (isPair ? 2 : 1))
    }

    /// Finds the next row; lines without a text are none.
    mutating func next() throws -> Step {
        while start < end || !scanner.isAtEnd {
            do throws(CSVScanner.Stop) {
                let next = try scan()
                let rowLine = line
                start = next
                line += scanner.lineBreaks
                let isEmpty = scanner.lineBreaks <= 1 && fields.allSatisfy(\.range.isEmpty)
                if !isEmpty { return .row(line: rowLine) }
            } catch .textAfterQuote {
                return try skipLine(
                    "Field \(fields.count) goes on after its closing quotation mark; expected a "
                        + "delimiter or the end of the line, and \"\" for a quotation mark within.")
            } catch .incomplete(let inQuotes) {
                guard scanner.isAtEnd || end - start > Self.rowLimit else {
                    try fill()
                    continue
                }
                let isQuote = inQuotes || scanner.isAtEnd
                return try skipLine(
                    isQuote
                        ? "A quotation mark opens a field and none closes it; expected \" at its end."
                        : "The row is too long; expected at most \(Self.rowLimit) bytes.")
            }
        }
        return .end
    }

    /// Scans the row that starts at `start`; the buffer is borrowed, so the scanner is moved aside.
    private mutating func scan() throws(CSVScanner.Stop) -> Int {
        var scanner = CSVScanner(delimiter: 0)
        swap(&scanner, &self.scanner)
        defer { swap(&scanner, &self.scanner) }
        return try scanner.scan(buffer.span.extracting(..<end), from: start)
    }

    /// Whether the row just read has something in a column.
    func hasText(_ column: Int) -> Bool {
        column < fields.count && !fields[column].range.isEmpty
    }

    /// The text of a field of the row just read; nil if it is not UTF-8.
    func text(_ index: Int) -> String? { fields[index].text(in: buffer) }

    /// The texts of the row just read, nil for empty fields; `names` are those of their columns.
    func read(into texts: inout [String?], named names: [String] = []) throws {
        texts.removeAll(keepingCapacity: true)
        for (index, field) in fields.enumerated() {
            guard !field.range.isEmpty else {
                texts.append(nil)
                continue
            }
            let column = names.isEmpty ? "\(index + 1)" : names[index]
            guard let text = text(index) else { throw notUTF8(buffer[field.range], column) }
            guard !text.utf8.contains(0) else {
                throw InvalidRow.Reason.nulCharacter(column: column)
            }
            texts.append(text)
        }
    }

    /// A field is in another encoding, as the whole file, or only damaged.
    private func notUTF8(_ field: ArraySlice<UInt8>, _ column: String) -> any Error {
        if let likely = LikelyEncoding.name(of: buffer[..<end]) {
            return ImportError.notUTF8(likely: likely)
        }
        let valid = String(decoding: field, as: UTF8.self).unicodeScalars
            .prefix { $0 != "\u{FFFD}" }
        let byte = field.dropFirst(String(valid).utf8.count).first ?? 0
        return InvalidRow.Reason(
            "The column \(quoted: column) is not UTF-8 (byte 0x"
                + "\(String(byte, radix: 16, uppercase: true))); expected the file saved as UTF-8.")
    }

    /// Gives up the row and continues after the line it starts on.
    private mutating func skipLine(_ reason: Phrase) throws -> Step {
        let rowLine = line
        line += 1
        while start < end || !scanner.isAtEnd {
            let lineBreak = buffer[start..<end].firstIndex {
                $0 == CSVScanner.lineFeed || $0 == CSVScanner.carriageReturn
            }
            start = lineBreak ?? end
            // The line feed of a CRLF may not have been read yet.
            if end - start < 2, !scanner.isAtEnd { try fill() }
            guard lineBreak != nil else { continue }
            start += buffer[start..<end].starts(with: "\r\n".utf8) ? 2 : 1
            break
        }
        return .malformed(line: rowLine, .init(reason))
    }

    /// Moves what is left to the front and appends more.
    private mutating func fill() throws {
        buffer.removeFirst(start)
        (start, end) = (0, end - start)
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
}
