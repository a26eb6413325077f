package import WireText

/// Why a CSV file was not imported.
package struct ImportError: Error, Equatable, Sendable {
    private let phrase: Phrase

    private init(_ phrase: Phrase) { self.phrase = phrase }

    private static func list(_ columns: [String]) -> Phrase {
        columns.prefix(12).map { "\(quoted: $0)" as Phrase }.joined(separator: ", ")
            + (columns.count > 12 ? " and \(columns.count - 12) more" : "")
    }
}

extension ImportError: CustomStringConvertible {
    /// The error as one sentence.
    package var description: String { phrase.description }
}

extension ImportError {
    /// The file cannot be opened or read.
    package static func unreadable(_ error: SystemCallError) -> Self {
        Self("Cannot read \(quoted: error.path ?? ""): \(words: error.text).")
    }
    /// The file has no line with a text.
    package static func empty(path: String) -> Self {
        Self("\(quoted: path) is empty; expected a line with the column names.")
    }
    /// The file is not UTF-8, but probably in another encoding.
    package static func notUTF8(path: String, likely: String) -> Self {
        Self(
            "\(quoted: path) is not UTF-8, but probably \(likely); expected --encoding \(likely), "
                + "or the file saved as UTF-8."
        )
    }
    /// The file is UTF-8 and was to be read in another encoding.
    package static func utf8(path: String, readAs encoding: TextEncoding) -> Self {
        Self(
            "\(quoted: path) is UTF-8 and was to be read as \(encoding.name); leave --encoding "
                + "out.")
    }
    static func notInEncoding(path: String, _ encoding: TextEncoding, byte: UInt8) -> Self {
        let hex = String(byte, radix: 16, uppercase: true)
        return Self(
            "\(quoted: path) is not \(encoding.name), which has no byte 0x\(hex) there; expected "
                + "another --encoding."
        )
    }
    static func header(path: String, _ row: InvalidRow) -> Self {
        Self("The header of \(quoted: path) cannot be read. \(words: row.description)")
    }
    /// No column has ids or codes.
    package static func noIdentity(path: String, columns: [String]) -> Self {
        Self(
            "\(quoted: path) has no column of ids or codes; expected one named ean, gtin, upc, "
                + "sku, code or id, or a mapping, and found \(list(columns))."
        )
    }
    /// Several columns may be the price, or one that is perhaps another price.
    package static func priceColumn(path: String, choices: [String]) -> Self {
        let mappings = choices.map { "--map price=\(ColumnMap.argument($0))" }
            .joined(separator: " or ")
        return Self(
            "\(quoted: path) has no column that is surely the price; write \(words: mappings), or "
                + "--map attribute=COLUMN for a column that is none."
        )
    }
    static func mapping(_ text: String) -> Self {
        let fields = CatalogField.allCases.map(\.rawValue).joined(separator: ", ")
        return Self(
            "The mapping \(quoted: text) cannot be read; expected FIELD=COLUMN, such as "
                + "name=Artikel, with one of the fields \(words: fields)."
        )
    }
    static func noSuchColumn(path: String, _ mapping: ColumnMapping, columns: [String]) -> Self {
        Self(
            "\(quoted: path) has no column \(quoted: mapping.column) for "
                + "\(mapping.field.rawValue); found \(list(columns))."
        )
    }
    /// Several columns have one name.
    package static func repeatedColumn(path: String, _ name: String) -> Self {
        Self("\(quoted: path) has several columns \(quoted: name); expected each name once.")
    }
    static func mappedTwice(_ field: CatalogField) -> Self {
        Self("The field \(field.rawValue) is mapped to several columns; expected one.")
    }
    /// A condition is about a column that the file does not have.
    package static func noSuchConditionColumn(
        path: String, _ name: String, columns: [String]
    ) -> Self {
        Self(
            "\(quoted: path) has no column \(quoted: name) to choose rows by; found "
                + "\(list(columns)).")
    }
    /// The last line is missing.
    package static func cutShort(path: String, expected: String) -> Self {
        Self(
            "Nothing of \(quoted: path) was imported: it was cut short; expected "
                + "\(quoted: expected) as its last line."
        )
    }
    /// Lines follow the last one.
    package static func behindEnd(path: String) -> Self {
        Self(
            "Nothing of \(quoted: path) was imported: lines follow the one that says it is whole; "
                + "expected that one last."
        )
    }
    /// Rows are invalid.
    package static func invalidRows(path: String, count: Int) -> Self {
        let rows = count == 1 ? "row is" : "rows are"
        return Self("Nothing of \(quoted: path) was imported: \(count) \(rows) invalid.")
    }
}

/// A value or row that an import changes or leaves out; notes are reported with a count for each kind.
package struct ImportNote: Hashable, Sendable {
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// A code that a spreadsheet turned into a number, that lost its leading zeros, or that has invisible
        /// characters.
        case spreadsheetCode, lostZeros, invisible
        /// A row that is left out: a heading, a total, or a picture or part of the article above.
        case heading, total, furtherRow
        /// A price that is entered at the till, and a sale price without a time.
        case variablePrice, undatedSale
    }

    package let kind: Kind
    /// The text in the file.
    let written: String
    /// The code that was meant; empty for other notes.
    let meant: String

    package init(_ kind: Kind, _ written: String = "", meant: String = "") {
        (self.kind, self.written, self.meant) = (kind, written, meant)
    }

    /// Reports the count of the kind, with this note, the first, as the example.
    package func sentence(count: Int, line: Int) -> String {
        let first = count == 1 ? "in line \(line)" : "the first in line \(line)"
        let example = "\(first): \(written.quoted())"
        let codes = count.counted("code")
        let code = "\(example) is \(meant.quoted())"
        return switch kind {
        case .spreadsheetCode:
            "\(codes) mended that a spreadsheet had made a number of, \(code)"
        case .lostZeros:
            "\(codes) given back the zeros ahead, \(code); --keep-codes leaves them out"
        case .invisible: "\(codes) freed of characters that cannot be seen, \(code)"
        case .heading: count.counted("heading") + " left out, \(example)"
        case .total: count.counted("row") + " with a total left out, \(example)"
        case .furtherRow:
            count.counted("row")
                + " left out that only \(count == 1 ? "adds" : "add") to the article above, \(first)"
        case .variablePrice:
            count.counted("article") + " without a price, as the till asks for it, \(first)"
        case .undatedSale:
            count.counted("sale price")
                + " without a time kept as an attribute, \(example); the usual price counts"
        }
    }
}
