import WireText

/// A reader that goes through a CSV file row by row, in constant memory.
///
/// The header is the first row that names a column of ids, codes or groups. A first line such as `sep=;`, which some
/// spreadsheets write, sets the delimiter. Otherwise, the delimiter is the comma, semicolon, tab or vertical bar that
/// splits the header into the most fields.
struct CSVReader {
    private(set) var bytesRead = 0
    /// The line on which the current row starts, counted from 1.
    private(set) var rowLine = 1
    var fields: [CSVField] { scanner.fields }

    private let input: ByteInput
    private var scanner = CSVScanner()
    private var buffer: [UInt8] = []
    private var (start, end, line) = (0, 0, 1)
    private static let chunk = 1 << 18
    private static let rowLimit = 1 << 20
    /// The header search reads no more once it has `head` bytes; at most `mostTitles` rows may precede the header.
    private static let (head, mostTitles) = (1 << 15, 20)

    init(_ input: ByteInput, isHeader: ([String]) -> Bool) throws {
        self.input = input
        // A pipe may deliver the header in pieces.
        repeat {
            start = 0
            try fill()
            let wide = LikelyEncoding.utf16(buffer[..<end])
            if let wide { throw ImportError.notUTF8(likely: wide) }
        } while !findTable(isHeader) && !scanner.isAtEnd && end < Self.head
    }

    private typealias Row = (offset: Int, line: Int, delimiter: UInt8, names: [String])

    /// Finds the header and the delimiter; returns false if there is no header.
    private mutating func findTable(_ isHeader: ([String]) -> Bool) -> Bool {
        (start, line) = (buffer[..<end].starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0, 1)
        let delimiters = skipSeparatorLine().map { [$0] } ?? Array(",;\t|".utf8)
        let rows = delimiters.flatMap(firstRows)
        let headers = rows.filter { isHeader($0.names) }
        // Without a header, the first row with several fields shows the delimiter.
        let table = headers.isEmpty ? rows.filter { $0.names.count > 1 } : headers
        let best = table.min { ($0.offset, -$0.names.count) < ($1.offset, -$1.names.count) }
        scanner.delimiter = best?.delimiter ?? delimiters[0]
        if let best { (start, line) = (best.offset, best.line) }
        return !headers.isEmpty
    }

    private func firstRows(_ delimiter: UInt8) -> [Row] {
        var scanner = scanner
        scanner.delimiter = delimiter
        var (offset, line) = (start, line)
        var rows: [Row] = []
        while rows.count <= Self.mostTitles, offset < end,
            let next = try? scanner.scan(buffer.span.extracting(..<end), from: offset)
        {
            let names = scanner.fields.map { $0.text(in: buffer) ?? "" }
            rows.append((offset, line, delimiter, names))
            offset = next
            line += scanner.lineBreaks
        }
        return rows
    }

    private mutating func skipSeparatorLine() -> UInt8? {
        let head = String(decoding: buffer[start..<end].prefix(12), as: UTF8.self)
        guard let line = head.prefixMatch(of: /(?i)"?sep="?([^"\s]|\t)"*(\r\n|\r|\n)/),
            let delimiter = line.1.first?.asciiValue
        else { return nil }
        start += line.0.utf8.count
        self.line += 1
        return delimiter
    }

    /// Moves to the next non-empty row; returns false at the end.
    ///
    /// After an error in a row, the next call continues after the first line of that row.
    mutating func next() throws -> Bool {
        while start < end || !scanner.isAtEnd {
            do throws(CSVScanner.Stop) {
                let buffer = buffer
                let next = try scanner.scan(buffer.span.extracting(..<end), from: start)
                (start, rowLine) = (next, line)
                line += scanner.lineBreaks
                let isEmpty = scanner.lineBreaks <= 1 && fields.allSatisfy(\.range.isEmpty)
                if !isEmpty { return true }
            } catch .textAfterQuote {
                try skipLine()
                throw InvalidRow.Reason(
                    "Field \(fields.count) goes on after its closing quotation mark; expected a "
                        + "delimiter or the end of the line, and \"\" for a quotation mark within.")
            } catch .incomplete(let inQuotes) {
                let isLast = scanner.isAtEnd
                guard isLast || end - start > Self.rowLimit else {
                    try fill()
                    continue
                }
                try skipLine()
                throw InvalidRow.Reason(
                    inQuotes || isLast
                        ? "A quotation mark opens a field and none closes it; expected \" at its end."
                        : "The row is too long; expected at most \(Self.rowLimit) bytes.")
            }
        }
        return false
    }

    /// Skips the first line of a malformed row, so that reading continues on the next line.
    private mutating func skipLine() throws {
        rowLine = line
        while start < end || !scanner.isAtEnd {
            let lineBreak = buffer[start..<end].firstIndex {
                $0 == CSVScanner.lineFeed || $0 == CSVScanner.carriageReturn
            }
            start = lineBreak ?? end
            // The line feed of a CRLF may not have been read yet.
            if end - start < 2, !scanner.isAtEnd { try fill() }
            guard lineBreak == nil else {
                start += buffer[start..<end].starts(with: "\r\n".utf8) ? 2 : 1
                break
            }
        }
        line += 1
    }

    func text(_ index: Int) -> String? { fields[index].text(in: buffer) }

    /// Reads the row's fields into `texts`, with nil for empty ones; `names` (one per field, or none) are for errors.
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

    /// Returns the error for a field that is not valid UTF-8.
    private func notUTF8(_ field: ArraySlice<UInt8>, _ column: String) -> any Error {
        if let likely = LikelyEncoding.name(of: buffer[..<end]) {
            return ImportError.notUTF8(likely: likely)
        }
        let scalars = String(decoding: field, as: UTF8.self).unicodeScalars
        let valid = String(scalars.prefix { $0 != "\u{FFFD}" })
        let byte = field.dropFirst(valid.utf8.count).first ?? 0
        return InvalidRow.Reason(
            "The column \(quoted: column) is not UTF-8 (byte 0x"
                + "\(String(byte, radix: 16, uppercase: true))); expected the file saved as UTF-8.")
    }

    private mutating func fill() throws {
        buffer.removeFirst(start)
        (start, end) = (0, end - start)
        buffer += repeatElement(0, count: max(end + Self.chunk - buffer.count, 0))
        let free = end
        let count = try buffer.withUnsafeMutableBytes { bytes in
            try input.read(into: .init(rebasing: bytes[free...]))
        }
        end += count
        bytesRead += count
        scanner.isAtEnd = count == 0
    }
}
