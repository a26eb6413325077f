/// A scanner of CSV text that finds the fields of one row in a buffer.
///
/// Rule: RFC 4180, with extensions: a line may also end in LF or CR; a quotation mark inside an unquoted field is an
/// ordinary character; spaces and tabs at both ends of a field are ignored, inside and outside its quotation marks.
struct CSVScanner {
    /// Why a row cannot be read: the buffer ends in it, or text follows a closing quotation mark.
    enum Stop: Error { case incomplete(inQuotes: Bool), textAfterQuote }

    var delimiter = UInt8(ascii: ",")
    var isAtEnd = false
    private(set) var fields: [CSVField] = []
    /// The number of line breaks in the row, including the one at its end.
    private(set) var lineBreaks = 0

    /// Scans the row that starts at `start`, and returns the offset of the next row.
    mutating func scan(_ bytes: Span<UInt8>, from start: Int) throws(Stop) -> Int {
        fields.removeAll(keepingCapacity: true)
        lineBreaks = 0
        var index = start
        while true {
            index = skipBlanks(bytes, from: index)
            if index < bytes.count, bytes[index] == Self.quote {
                index = try scanQuoted(bytes, from: index + 1)
            } else {
                let first = index
                while index < bytes.count, !endsField(bytes[index]) { index += 1 }
                add(bytes, first..<index)
            }
            if index >= bytes.count, isAtEnd { return bytes.count }
            guard index < bytes.count else { throw .incomplete(inQuotes: false) }
            guard bytes[index] == delimiter else { break }
            index += 1
        }
        let isReturn = bytes[index] == Self.carriageReturn
        index += 1
        // The line feed of a CRLF may not have been read yet.
        guard !isReturn || index < bytes.count || isAtEnd else {
            throw .incomplete(inQuotes: false)
        }
        lineBreaks += 1
        return isReturn && index < bytes.count && bytes[index] == Self.lineFeed ? index + 1 : index
    }

    private func endsField(_ byte: UInt8) -> Bool {
        byte == delimiter || byte == Self.lineFeed || byte == Self.carriageReturn
    }

    /// Scans a field after its opening quote; returns the offset after its closing quote and blanks.
    private mutating func scanQuoted(_ bytes: Span<UInt8>, from start: Int) throws(Stop) -> Int {
        var index = start
        var hasDoubledQuotes = false
        while true {
            while index < bytes.count, bytes[index] != Self.quote {
                let isReturn = bytes[index] == Self.carriageReturn
                if isReturn || bytes[index] == Self.lineFeed { lineBreaks += 1 }
                index += 1
                // A CRLF is one line break.
                if isReturn, index < bytes.count, bytes[index] == Self.lineFeed { index += 1 }
            }
            guard index < bytes.count, index + 1 < bytes.count || isAtEnd else {
                throw .incomplete(inQuotes: true)
            }
            guard index + 1 < bytes.count, bytes[index + 1] == Self.quote else { break }
            hasDoubledQuotes = true
            index += 2
        }
        add(bytes, start..<index, hasDoubledQuotes: hasDoubledQuotes)
        let next = skipBlanks(bytes, from: index + 1)
        guard next >= bytes.count || endsField(bytes[next]) else { throw .textAfterQuote }
        return next
    }

    private mutating func add(
        _ bytes: Span<UInt8>, _ field: Range<Int>, hasDoubledQuotes: Bool = false
    ) {
        var (first, last) = (field.lowerBound, field.upperBound)
        while first < last, bytes[first] == 0x20 || bytes[first] == 0x09 { first += 1 }
        while last > first, bytes[last - 1] == 0x20 || bytes[last - 1] == 0x09 { last -= 1 }
        fields.append(CSVField(range: first..<last, hasDoubledQuotes: hasDoubledQuotes))
    }

    private func skipBlanks(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count,
            bytes[index] == 0x20 || bytes[index] == 0x09 && delimiter != 0x09
        { index += 1 }
        return index
    }

    static let quote = UInt8(ascii: "\"")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
}

struct CSVField {
    /// The offsets of the field's bytes, without surrounding quotation marks, spaces or tabs.
    var range: Range<Int>
    /// Whether the field contains `""`, which stands for one quotation mark.
    var hasDoubledQuotes: Bool

    /// Returns the field's text; nil if it is not valid UTF-8.
    func text(in buffer: [UInt8]) -> String? {
        guard hasDoubledQuotes else { return String(validating: buffer[range], as: UTF8.self) }
        var isSecond = false
        let bytes = buffer[range].filter { byte in
            isSecond = byte == CSVScanner.quote && !isSecond
            return !isSecond
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
