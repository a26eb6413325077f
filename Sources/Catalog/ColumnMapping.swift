import WireText

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
