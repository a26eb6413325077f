/// Finds the fields of one row in a buffer.
///
/// Rule: RFC 4180, and beyond it: the delimiter is given; a line ends in LF, CRLF or CR; a quote inside an
/// unquoted field is itself; blanks around a field do not count, inside or outside its quotation marks.
struct CSVScanner {
    /// Why a row has no end.
    enum Stop: Error {
        /// The buffer ends within the row.
        case incomplete(inQuotes: Bool)
        /// Something other than a delimiter follows the closing quote of the last field.
        case textAfterQuote
    }

    let delimiter: UInt8
    /// Whether the buffer's end is the file's.
    var isAtEnd = false
    /// The fields of the row just scanned.
    private(set) var fields: [CSVField] = []
    /// How many lines it has.
    private(set) var lineBreaks = 0

    init(delimiter: UInt8) { self.delimiter = delimiter }

    /// Scans the row that starts at an offset, and returns where the next one starts.
    mutating func scan(_ bytes: Span<UInt8>, from start: Int) throws(Stop) -> Int {
        fields.removeAll(keepingCapacity: true)
        lineBreaks = 0
        var index = start
        while true {
            index = skipBlanks(bytes, from: index)
            if index < bytes.count, bytes[index] == Self.quote {
                index = try scanQuoted(bytes, from: index + 1)
            } else {
                index = scanPlain(bytes, from: index)
            }
            if index >= bytes.count, isAtEnd { return bytes.count }
            guard index < bytes.count else { throw .incomplete(inQuotes: false) }
            guard bytes[index] == delimiter else { break }
            index += 1
        }
        // The line feed of a CRLF may not have been read yet.
        let isReturn = bytes[index] == Self.carriageReturn
        guard !isReturn || index + 1 < bytes.count || isAtEnd else {
            throw .incomplete(inQuotes: false)
        }
        lineBreaks += 1
        let isPair = isReturn && index + 1 < bytes.count && bytes[index + 1] == Self.lineFeed
        return index + (isPair ? 2 : 1)
    }

    private func endsField(_ byte: UInt8) -> Bool {
        byte == delimiter || byte == Self.lineFeed || byte == Self.carriageReturn
    }

    private mutating func scanPlain(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count, !endsField(bytes[index]) { index += 1 }
        add(bytes, start..<index)
        return index
    }

    /// Scans from an opening quote on, and returns the end of the field after the closing one.
    private mutating func scanQuoted(_ bytes: Span<UInt8>, from start: Int) throws(Stop) -> Int {
        var index = start
        var hasDoubledQuotes = false
        while true {
            while index < bytes.count, bytes[index] != Self.quote {
                // An LF, and a CR that no LF follows.
                if bytes[index] == Self.lineFeed
                    || bytes[index] == Self.carriageReturn
                        && (index + 1 >= bytes.count || bytes[index + 1] != Self.lineFeed)
                {
                    lineBreaks += 1
                }
                index += 1
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

    /// Adds a field without the spaces and tabs around it.
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

/// Where a field lies in the reader's buffer.
struct CSVField {
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
        var isSecond = false
        let bytes = buffer[range].filter { byte in
            isSecond = byte == CSVScanner.quote && !isSecond
            return !isSecond
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

/// Writes rows of CSV: commas, LF, quotation marks where needed.
///
/// Rule: RFC 4180.
struct CSVWriter {
    /// What was written and not yet taken.
    private(set) var bytes: [UInt8] = []

    /// Adds a row.
    mutating func add(_ fields: [String]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            // A semicolon or tab would be counted when the delimiter is recognised.
            guard field.utf8.contains(where: Self.special.contains) else {
                bytes += field.utf8
                continue
            }
            bytes.append(CSVScanner.quote)
            for byte in field.utf8 {
                if byte == CSVScanner.quote { bytes.append(byte) }
                bytes.append(byte)
            }
            bytes.append(CSVScanner.quote)
        }
        bytes.append(CSVScanner.lineFeed)
    }

    /// Takes what was written.
    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    private static let special = Array("\",;\t\r\n".utf8)
}
