import Barcodes

/// Reads the codes of a row, and mends what spreadsheets and clipboards have made of them.
struct CodeReader {
    /// The columns of codes, and whether their numbers may be GTINs that have lost zeros.
    private let columns: [(column: Int, mayLackZeros: Bool)]

    /// - Parameters:
    ///   - map: What the columns hold.
    ///   - keepsCodes: Whether numbers stay without the zeros that they have probably lost.
    init(_ map: ColumnMap, keepsCodes: Bool) {
        columns = (map.columns[.code] ?? []).map { column in
            (column, !keepsCodes && !Self.isOwn(map.names[column]))
        }
    }

    private static func isOwn(_ name: String) -> Bool {
        let simple = ColumnName.simplified(name)
        return CodeName(name) == .own || CatalogField.articleNumbers.contains(simple)
            || ["plucode", "internalreference", "internereferenz", "defaultcode"].contains(simple)
    }

    /// Whether a column but one has something.
    func hasText(_ row: borrowing CSVReader, but other: Int) -> Bool {
        for (column, _) in columns where column != other && row.hasText(column) { return true }
        return false
    }

    /// The codes of all columns in their order, each once.
    func codes(
        of row: borrowing CSVReader, _ map: ColumnMap, _ notes: inout [ImportNote]
    ) throws(InvalidRow.Reason) -> [String] {
        var found: [String] = []
        for (column, mayLackZeros) in columns {
            guard let text = try row.checkedText(column, map) else { continue }
            for written in CodeField.codes(in: text) {
                let visible = CodeField.isExact(text) ? written : VisibleText.code(written)
                if visible != written {
                    notes.append(ImportNote(.invisible, written, meant: visible))
                }
                var code = visible
                if let gtin = Self.linkedGTIN(visible) {
                    code = gtin
                } else if !CodeField.isSeparated(text) {
                    // What stands between bars is meant: no spreadsheet writes them.
                    code = try Self.mended(visible, mayLackZeros, &notes)
                }
                if !code.isEmpty, !found.contains(code) { found.append(code) }
            }
        }
        return found
    }

    /// A code without what a spreadsheet has made of it.
    private static func mended(
        _ code: String, _ mayLackZeros: Bool, _ notes: inout [ImportNote]
    ) throws(InvalidRow.Reason) -> String {
        switch SpreadsheetNumber(code) {
        case .none: return withZeros(code, written: code, mayLackZeros, &notes) ?? code
        case .rounded: throw .roundedCode(code)
        case .mended(let meant):
            notes.append(ImportNote(.spreadsheetCode, code, meant: meant))
            return meant
        case .withDecimals(let digits):
            guard let meant = withZeros(digits, written: code, mayLackZeros, &notes) else {
                throw .numberForCode(code)
            }
            return meant
        }
    }

    private static func withZeros(
        _ digits: String, written: String, _ mayLackZeros: Bool, _ notes: inout [ImportNote]
    ) -> String? {
        guard mayLackZeros, let meant = LostZeros.restored(digits) else { return nil }
        notes.append(ImportNote(.lostZeros, written, meant: meant))
        return meant
    }

    /// The GTIN in a GS1 Digital Link, for that is what a scanner of its linear symbol reads.
    private static func linkedGTIN(_ code: String) -> String? {
        guard code.utf8.starts(with: "http".utf8) || code.utf8.starts(with: "HTTP".utf8) else {
            return nil
        }
        return BarcodeDecoder().decode(code).gtin?.text
    }
}
