package import WireText

/// Why a CSV file was not imported; the catalog is as it was.
package enum ImportError: Error, Equatable, Sendable {
    /// The file cannot be read.
    case unreadable(SystemCallError)
    /// The file has no header.
    case empty(path: String)
    /// The file is UTF-16.
    case utf16(path: String)
    /// The file begins with the byte order mark of UTF-8 and was to be read as something else.
    case utf8(path: String, readAs: TextEncoding)
    /// The header cannot be read.
    case header(path: String, InvalidRow)
    /// No column holds an id or codes.
    case noIdentity(path: String, columns: [String])
    /// A mapping names a column the header does not have.
    case noSuchColumn(path: String, ColumnMapping, columns: [String])
    /// Two columns have the same name, so that it is open which one counts.
    case repeatedColumn(path: String, String)
    /// A field other than `code` is mapped to several columns.
    case mappedTwice(CatalogField)
    /// A condition names a column the header does not have.
    case noSuchConditionColumn(path: String, String, columns: [String])
    /// The last line is not the one that says that the file is whole.
    case cutShort(path: String, expected: String)
    /// Something follows the line that says that the file is whole.
    case behindEnd(path: String)
    /// Rows are invalid, and the import was not told to skip them.
    case invalidRows(path: String, count: Int)
}

extension ImportError: CustomStringConvertible {
    /// The error as one sentence.
    package var description: String {
        switch self {
        case .unreadable(let error): "Cannot read \((error.path ?? "").quoted()): \(error.text)."
        case .empty(let path): "\(path.quoted()) is empty; expected a line with the column names."
        case .utf16(let path): "\(path.quoted()) is UTF-16; expected it saved as UTF-8."
        case .utf8(let path, let encoding):
            "\(path.quoted()) begins with the byte order mark of UTF-8 and was to be read as "
                + "\(encoding.rawValue); leave --encoding out."
        case .header(let path, let row): "The header of \(path.quoted()) cannot be read. \(row)"
        case .noIdentity(let path, let columns):
            "\(path.quoted()) has no column of ids or codes; expected one named ean, gtin, upc, sku, "
                + "code or id, or a mapping, and found \(Self.list(columns))."
        case .noSuchColumn(let path, let mapping, let columns):
            "\(path.quoted()) has no column \(mapping.column.quoted()) to take as "
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
            "Nothing of \(path.quoted()) was imported: it goes on behind the line that says it is "
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
