/// Finds the fields of one row in a buffer.
///
/// Rule: RFC 4180, and beyond it: the delimiter is given; a line ends in LF, CRLF or CR; a quote
/// inside an unquoted field is itself; blanks around a field do not count, within or without its
/// quotation marks.
struct CSVScanner {
    /// How the scan of a row ended.
    enum Result: Equatable {
        /// The row is whole; the next one starts at the offset.
        case row(next: Int, lineBreaks: Int)
        /// The buffer ends within the row.
        case incomplete(inQuotes: Bool)
        /// Something other than a delimiter follows the closing quote of the field (1-based).
        case textAfterQuote(field: Int)
    }

    let delimiter: UInt8
    /// Whether the buffer's end is the file's.
    var isAtEnd = false
    private var lineBreaks = 0

    init(delimiter: UInt8) {
        self.delimiter = delimiter
    }

    /// Scans the row that starts at an offset.
    mutating func scan(
        _ bytes: Span<UInt8>, from start: Int, to end: Int, fields: inout [CSVField]
    ) -> Result {
        fields.removeAll(keepingCapacity: true)
        lineBreaks = 0
        var index = start
        while true {
            let first = skipBlanks(bytes, from: index, to: end)
            if first < end, bytes[first] == Self.quote {
                switch scanQuoted(bytes, from: first + 1, to: end, fields: &fields) {
                case .success(let next): index = next
                case .failure(let result): return result.result
                }
            } else {
                index = scanPlain(bytes, from: first, to: end, fields: &fields)
            }
            if index >= end {
                return isAtEnd
                    ? .row(next: end, lineBreaks: lineBreaks) : .incomplete(inQuotes: false)
            }
            guard bytes[index] == delimiter else {
                return endOfLine(bytes, at: index, to: end)
            }
            index += 1
        }
    }

    private struct Stop: Error {
        let result: Result
    }

    /// Scans up to the delimiter or line break and drops the blanks at the end.
    private func scanPlain(
        _ bytes: Span<UInt8>, from start: Int, to end: Int, fields: inout [CSVField]
    ) -> Int {
        var index = start
        while index < end {
            let byte = bytes[index]
            if byte == delimiter || byte == Self.lineFeed || byte == Self.carriageReturn { break }
            index += 1
        }
        fields.append(CSVField(range: trimmed(bytes, start..<index)))
        return index
    }

    /// A field without the spaces and tabs around it.
    private func trimmed(_ bytes: Span<UInt8>, _ field: Range<Int>) -> Range<Int> {
        var (first, last) = (field.lowerBound, field.upperBound)
        while first < last, bytes[first] == 0x20 || bytes[first] == 0x09 { first += 1 }
        while last > first, bytes[last - 1] == 0x20 || bytes[last - 1] == 0x09 { last -= 1 }
        return first..<last
    }

    /// Scans behind an opening quote up to the delimiter, line break or end behind the closing one.
    private mutating func scanQuoted(
        _ bytes: Span<UInt8>, from start: Int, to end: Int, fields: inout [CSVField]
    ) -> Swift.Result<Int, Stop> {
        var index = start
        var hasDoubledQuotes = false
        while true {
            while index < end, bytes[index] != Self.quote {
                countLineBreak(bytes, at: index, to: end)
                index += 1
            }
            guard index < end else { return .failure(Stop(result: .incomplete(inQuotes: true))) }
            guard index + 1 < end, bytes[index + 1] == Self.quote else { break }
            hasDoubledQuotes = true
            index += 2
        }
        if index + 1 == end, !isAtEnd {
            return .failure(Stop(result: .incomplete(inQuotes: true)))
        }
        let range = trimmed(bytes, start..<index)
        fields.append(CSVField(range: range, hasDoubledQuotes: hasDoubledQuotes))
        let next = skipBlanks(bytes, from: index + 1, to: end)
        let ends = [delimiter, Self.lineFeed, Self.carriageReturn]
        guard next >= end || ends.contains(bytes[next]) else {
            return .failure(Stop(result: .textAfterQuote(field: fields.count)))
        }
        return .success(next)
    }

    private func endOfLine(_ bytes: Span<UInt8>, at index: Int, to end: Int) -> Result {
        var next = index + 1
        if bytes[index] == Self.carriageReturn {
            // The line feed of a CRLF may not have been read yet.
            guard next < end || isAtEnd else { return .incomplete(inQuotes: false) }
            if next < end, bytes[next] == Self.lineFeed { next += 1 }
        }
        return .row(next: next, lineBreaks: lineBreaks + 1)
    }

    /// Counts LF, and CR where no LF follows.
    private mutating func countLineBreak(_ bytes: Span<UInt8>, at index: Int, to end: Int) {
        if bytes[index] == Self.lineFeed {
            lineBreaks += 1
        } else if bytes[index] == Self.carriageReturn,
            index + 1 >= end || bytes[index + 1] != Self.lineFeed
        {
            lineBreaks += 1
        }
    }

    private func skipBlanks(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        var index = start
        while index < end, isBlank(bytes[index]) { index += 1 }
        return index
    }

    private func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (byte == 0x09 && delimiter != 0x09)
    }

    static let quote = UInt8(ascii: "\"")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
}

/// Where a field lies in the reader's buffer.
struct CSVField: Equatable {
    /// The field's bytes, without its quotation marks and the blanks around it.
    var range: Range<Int>
    /// Whether doubled quotation marks in it stand for single ones.
    var hasDoubledQuotes = false

    /// The field's text; nil if it is not UTF-8.
    func text(in buffer: [UInt8]) -> String? {
        guard hasDoubledQuotes else {
            return buffer.withUnsafeBufferPointer { bytes in
                let field = UnsafeBufferPointer(rebasing: bytes[range])
                // Validating is slow, and most fields need none.
                guard field.allSatisfy({ $0 < 0x80 }) else {
                    return String(validating: field, as: UTF8.self)
                }
                return String(unsafeUninitializedCapacity: field.count) {
                    $0.initialize(fromContentsOf: field)
                }
            }
        }
        var bytes: [UInt8] = []
        var afterQuote = false
        for byte in buffer[range] {
            afterQuote = byte == CSVScanner.quote && !afterQuote
            if !afterQuote { bytes.append(byte) }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
