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
            if Self.needsQuotes(field) { addQuoted(field) } else { bytes += field.utf8 }
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Takes what was written.
    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    private mutating func addQuoted(_ field: String) {
        bytes.append(CSVScanner.quote)
        for byte in field.utf8 {
            if byte == CSVScanner.quote { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(CSVScanner.quote)
    }

    private static func needsQuotes(_ field: String) -> Bool {
        field.utf8.contains { special.contains($0) }
    }

    // A semicolon or tab would be counted when the delimiter is recognised.
    private static let special = Array("\",;\t\r\n".utf8)
}
