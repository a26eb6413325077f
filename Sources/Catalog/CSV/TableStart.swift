/// Where the table of a file begins, and what separates its fields.
///
/// The header is the first row that names a column of ids or codes; titles ahead of it are skipped. A
/// line `sep=;`, as spreadsheets write it, says the delimiter.
struct TableStart {
    /// What separates the fields.
    private(set) var delimiter = UInt8(ascii: ",")
    /// Where the header begins.
    private(set) var offset: Int
    /// The line of the header, 1-based.
    private(set) var line = 1
    /// Whether there is a header among the first rows.
    private(set) var hasHeader = false

    private static let delimiters = Array(",;\t|".utf8)
    /// How many rows may come before the header.
    private static let mostTitles = 20

    /// Looks for the header.
    init(
        _ buffer: [UInt8], _ range: Range<Int>, isAtEnd: Bool,
        isHeader: ([String]) -> Bool
    ) {
        offset = range.lowerBound
        var delimiters = Self.delimiters
        if let (separator, next) = Self.separatorLine(buffer[range]) {
            (delimiters, delimiter) = ([separator], separator)
            (offset, line) = (next, 2)
        }
        if let found = first(buffer, range.upperBound, isAtEnd, delimiters, where: isHeader) {
            self = found
            hasHeader = true
        } else if let table = first(
            buffer, range.upperBound, isAtEnd, delimiters, where: { $0.count > 1 })
        {
            // Without a header, the first row of several fields shows the delimiter.
            self = table
        }
    }

    /// The first row that is accepted, and of several delimiters the one that gives it most fields.
    private func first(
        _ buffer: [UInt8], _ end: Int, _ isAtEnd: Bool, _ delimiters: [UInt8],
        where accepts: ([String]) -> Bool
    ) -> TableStart? {
        var best: (row: TableStart, count: Int)?
        for delimiter in delimiters {
            var row = self
            row.delimiter = delimiter
            guard let count = row.advance(buffer, end, isAtEnd, until: accepts) else { continue }
            let isBetter = best.map {
                row.offset < $0.row.offset || row.offset == $0.row.offset && count > $0.count
            }
            if isBetter ?? true { best = (row, count) }
        }
        return best?.row
    }

    /// Advances to the first row that is accepted, and returns how many fields it has; nil if none is.
    private mutating func advance(
        _ buffer: [UInt8], _ end: Int, _ isAtEnd: Bool, until accepts: ([String]) -> Bool
    ) -> Int? {
        var scanner = CSVScanner(delimiter: delimiter)
        scanner.isAtEnd = isAtEnd
        var fields: [CSVField] = []
        for _ in 0...Self.mostTitles {
            guard offset < end,
                case .row(let next, let lineBreaks) = scanner.scan(
                    buffer.span, from: offset, to: end, fields: &fields)
            else { return nil }
            let names = fields.map { $0.text(in: buffer) ?? "" }
            if accepts(names) { return fields.count }
            offset = next
            line += lineBreaks
        }
        return nil
    }

    /// The delimiter that a first line `sep=;` names, and where the next line begins.
    private static func separatorLine(_ bytes: ArraySlice<UInt8>) -> (UInt8, next: Int)? {
        let isBreak: (UInt8) -> Bool = {
            $0 == CSVScanner.lineFeed || $0 == CSVScanner.carriageReturn
        }
        guard let end = bytes.firstIndex(where: isBreak) else { return nil }
        let text = bytes[..<end].filter { $0 != CSVScanner.quote }
        guard text.count == 5,
            String(decoding: text.prefix(4), as: UTF8.self).lowercased() == "sep="
        else { return nil }
        let isPair = bytes[end...].starts(with: [CSVScanner.carriageReturn, CSVScanner.lineFeed])
        return (text[4], end + (isPair ? 2 : 1))
    }
}
