import WireText

/// Which column was taken for what, for the user to see.
package struct ColumnUse: Equatable, Sendable {
    /// The lines to print.
    package let lines: [String]

    init(_ map: ColumnMap, headerLine: Int) {
        var lines: [String] = []
        if headerLine > 1 { lines.append("the header is in line \(headerLine)") }
        let taken = CatalogField.allCases.flatMap { field in
            (map.columns[field] ?? []).map { "\(field.rawValue)=\(Self.argument(map.names[$0]))" }
        }
        let system = map.system.map { " of an export from \($0)" } ?? ""
        lines.append("columns\(system): \(taken.joined(separator: " "))")
        if map.columns[.price] == nil { lines.append("no column is the price") }
        let attributes = map.attributes.filter { $0.column != map.column(.salePrice) }
        let prices = attributes.filter { PriceName(map.names[$0.column]) != nil }
        if !prices.isEmpty {
            let names = prices.map { Self.argument($0.name) }.joined(separator: " ")
            lines.append("not taken as the price: \(names)")
        }
        let others = attributes.filter { PriceName(map.names[$0.column]) == nil }
        if !others.isEmpty {
            let names = others.map { Self.argument($0.name) }.joined(separator: " ")
            lines.append("kept as attributes: \(names)")
        }
        self.lines = lines
    }

    /// A column's name as `--map` takes it in a shell.
    static func argument(_ name: String) -> String {
        let isPlain = name.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0)
                || "_-./".unicodeScalars.contains($0)
        }
        if isPlain, !name.isEmpty { return name }
        let hasSigns = name.contains { "$`!\\\"".contains($0) }
        // A name that cannot be printed as it stands is only shown.
        guard hasSigns, name.quoted(upTo: .max).dropFirst().dropLast().elementsEqual(name.shown)
        else {
            return name.quoted()
        }
        return "'" + name.replacing("'", with: "'\\''") + "'"
    }
}

extension String {
    /// The text as `quoted()` has it between its quotation marks if all of it can be printed.
    fileprivate var shown: String {
        replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}

/// Says which column of a CSV file holds a field, whatever the column's name.
package struct ColumnMapping: Hashable, Sendable {
    /// The field.
    package var field: CatalogField
    /// The column's name as the header has it; case and blanks around it do not count.
    package var column: String

    /// Maps a field to a column.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - column: The column's name as the header has it.
    package init(_ field: CatalogField, column: String) {
        self.field = field
        self.column = column
    }

    /// Reads a mapping as users write it: `name=Artikel`.
    ///
    /// - Parameter text: The field, `=`, and the column's name.
    /// - Throws: `ColumnMappingError`.
    package init(_ text: String) throws(ColumnMappingError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else { throw .noColumn(text: text) }
        guard let field = CatalogField(rawValue: String(parts[0])) else {
            throw .unknownField(text: text, found: String(parts[0]))
        }
        self.init(field, column: String(parts[1]))
    }
}

/// Why a text is no column mapping.
package enum ColumnMappingError: Error, Equatable, Sendable {
    /// The text is not `FIELD=COLUMN`.
    case noColumn(text: String)
    /// No field has that name.
    case unknownField(text: String, found: String)
}

extension ColumnMappingError: CustomStringConvertible {
    /// The error as one sentence.
    package var description: String {
        switch self {
        case .noColumn(let text):
            "The mapping \(text.quoted()) names no column; expected FIELD=COLUMN, such as name=Artikel."
        case .unknownField(let text, let found):
            "The mapping \(text.quoted()) is of an unknown field \(found.quoted()); expected one of "
                + CatalogField.allCases.map(\.rawValue).joined(separator: ", ") + "."
        }
    }
}
