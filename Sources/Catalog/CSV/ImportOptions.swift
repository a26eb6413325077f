package import Foundation

/// How a CSV file is to be read.
package struct ImportOptions: Hashable, Sendable {
    /// Columns that hold a field whatever they are called; it is not looked for under the names recognised.
    package var mappings: [ColumnMapping]
    /// The currency of prices that name none.
    package var currency: Currency?
    /// Whether to import the valid rows although others are invalid.
    package var skipsInvalidRows: Bool
    /// How letters are written.
    package var encoding = TextEncoding.utf8
    /// The sign ahead of the decimals of a price; nil to learn it from the file.
    package var decimalMark: DecimalMark?
    /// Whether codes stay without the zeros that they have probably lost.
    package var keepsCodes = false
    /// The time zone of times without an offset (`Europe/Berlin`); nil if they are errors.
    package var timeZone: TimeZone?
    /// The shop that all rows are of; nil if a column says whose they are.
    package var scope: CatalogScope?
    /// Conditions that a row must meet; the others are left out.
    package var conditions: [RowCondition] = []
    /// Whether the file has all products: those it does not have go.
    package var isWhole = false
    /// The line that must be the last one; nil if the end of the file is its end.
    package var endLine: String?
    /// How much may change or go; nil for any of it.
    package var changeLimit: ChangeLimit?
    /// How much may go, or lose its price, its name or its codes, if `changeLimit` is nil; nil for any of it.
    package var lossLimit: ChangeLimit?
    /// What to do if an id brings a code that another product has; nil to let it have the code, and to
    /// count that as a loss of the other product.
    package var movedCodes: MovedCodes?
    /// Whether to report what would change, and import nothing.
    package var isTrial = false

    /// Makes options.
    package init(
        mappings: [ColumnMapping] = [], currency: Currency? = nil, skipsInvalidRows: Bool = false
    ) {
        (self.mappings, self.currency) = (mappings, currency)
        self.skipsInvalidRows = skipsInvalidRows
    }
}

/// What to do with an id that brings a code of another product, which the file does not name.
package enum MovedCodes: String, Hashable, Sendable, CaseIterable {
    /// It gets the code, and no limit counts that.
    case take
    /// Its row is invalid.
    case refuse
}

/// A column that must hold a value, for its row to count.
package struct RowCondition: Hashable, Sendable {
    /// The column's name as the header has it; case and blanks around it do not count.
    package var column: String
    /// What it must hold; case does not count.
    package var value: String

    /// Reads a condition as users write it: `Type=simple`, or `Type=` for an empty cell; nil if it is none.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        (column, value) = (String(parts[0]), String(parts[1]))
    }
}

/// Says which column of a CSV file holds a field, whatever the column's name.
package struct ColumnMapping: Hashable, Sendable {
    /// The field.
    package var field: CatalogField
    /// The column's name as the header has it; case and blanks around it do not count.
    package var column: String

    /// Maps a field to a column.
    package init(_ field: CatalogField, column: String) {
        (self.field, self.column) = (field, column)
    }

    /// Reads a mapping as users write it: `name=Artikel`; nil if it is none.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty,
            let field = CatalogField(rawValue: String(parts[0]))
        else { return nil }
        self.init(field, column: String(parts[1]))
    }
}
