package import WireText

/// Why a CSV file was not imported; the sentences below say what each case means.
package enum ImportError: Error, Equatable, Sendable {
    case unreadable(SystemCallError)
    case empty(path: String)
    case notUTF8(path: String, likely: String)
    case utf8(path: String, readAs: TextEncoding)
    case notInEncoding(path: String, TextEncoding, byte: UInt8)
    case header(path: String, InvalidRow)
    case noIdentity(path: String, columns: [String])
    case priceColumn(path: String, choices: [String])
    case noSuchColumn(path: String, ColumnMapping, columns: [String])
    case repeatedColumn(path: String, String)
    case mappedTwice(CatalogField)
    case noSuchConditionColumn(path: String, String, columns: [String])
    case cutShort(path: String, expected: String)
    case behindEnd(path: String)
    case invalidRows(path: String, count: Int)
}

extension ImportError: CustomStringConvertible {
    /// The error as one sentence.
    package var description: String {
        switch self {
        case .unreadable(let error): "Cannot read \((error.path ?? "").quoted()): \(error.text)."
        case .empty(let path): "\(path.quoted()) is empty; expected a line with the column names."
        case .notUTF8(let path, let likely):
            "\(path.quoted()) is not UTF-8, but probably \(likely); expected --encoding \(likely), or the "
                + "file saved as UTF-8."
        case .utf8(let path, let encoding):
            "\(path.quoted()) is UTF-8 and was to be read as \(encoding.name); leave --encoding out."
        case .notInEncoding(let path, let encoding, let byte):
            "\(path.quoted()) is not \(encoding.name), which has no byte 0x"
                + String(byte, radix: 16, uppercase: true) + " there; expected another --encoding."
        case .header(let path, let row): "The header of \(path.quoted()) cannot be read. \(row)"
        case .noIdentity(let path, let columns):
            "\(path.quoted()) has no column of ids or codes; expected one named ean, gtin, upc, sku, "
                + "code or id, or a mapping, and found \(Self.list(columns))."
        case .priceColumn(let path, let choices):
            "\(path.quoted()) has no column that is surely the price; write "
                + choices.map { "--map price=\(ColumnUse.argument($0))" }.joined(separator: " or ")
                + ", or --map attribute=COLUMN for a column that is none."
        case .noSuchColumn(let path, let mapping, let columns):
            "\(path.quoted()) has no column \(mapping.column.quoted()) for "
                + "\(mapping.field.rawValue); found \(Self.list(columns))."
        case .repeatedColumn(let path, let column):
            "\(path.quoted()) has several columns \(column.quoted()); expected each name once."
        case .mappedTwice(let field):
            "The field \(field.rawValue) is mapped to several columns; expected one."
        case .noSuchConditionColumn(let path, let column, let columns):
            "\(path.quoted()) has no column \(column.quoted()) to choose rows by; found "
                + "\(Self.list(columns))."
        case .cutShort(let path, let expected):
            "Nothing of \(path.quoted()) was imported: it was cut short; expected "
                + "\(expected.quoted()) as its last line."
        case .behindEnd(let path):
            "Nothing of \(path.quoted()) was imported: lines follow the one that says it is "
                + "whole; expected that one last."
        case .invalidRows(let path, let count):
            "Nothing of \(path.quoted()) was imported: \(count) "
                + (count == 1 ? "row is invalid." : "rows are invalid.")
        }
    }

    private static func list(_ columns: [String]) -> String {
        columns.prefix(12).map { $0.quoted() }.joined(separator: ", ")
            + (columns.count > 12 ? " and \(columns.count - 12) more" : "")
    }
}
