package import Foundation

package struct ImportOptions: Hashable, Sendable {
    /// The columns that the user assigned to fields; the import does not search for columns of these fields by name.
    package var mappings: [ColumnMapping]
    /// The currency of prices if neither the cell, a currency column nor the price column's name contains one.
    package var currency: Currency?
    package var skipsInvalidRows: Bool
    package var encoding = TextEncoding.utf8
    /// The decimal mark of prices; nil to infer it from the file.
    package var decimalMark: DecimalMark?
    /// Whether to leave codes as they are, even if they have probably lost leading zeros.
    package var keepsCodes = false
    /// The time zone of times without an offset; nil to reject such times.
    package var timeZone: TimeZone?
    /// The shop that all rows belong to; nil if a column names the shop, or the rows apply to all shops.
    package var scope: CatalogScope?
    package var conditions: [RowCondition] = []
    /// Whether the file contains all products; if so, the catalog's other products are removed.
    package var isWhole = false
    /// The last line that a complete file must have; nil to accept any.
    package var endLine: String?
    /// The share of products that may change or be removed; nil to apply `lossLimit` instead.
    package var changeLimit: ChangeLimit?
    /// The share of products that may be lost (`ChangeSummary.lossCount`) if `changeLimit` is nil; nil for no limit.
    package var lossLimit: ChangeLimit?
    /// How to treat a row that claims another product's code; nil moves the code, which counts as a loss.
    package var movedCodes: MovedCodes?
    /// Whether to import nothing and only report what would change.
    package var isTrial = false

    package init(
        mappings: [ColumnMapping] = [], currency: Currency? = nil, skipsInvalidRows: Bool = false
    ) {
        (self.mappings, self.currency) = (mappings, currency)
        self.skipsInvalidRows = skipsInvalidRows
    }
}

/// How to treat a row that claims another product's code, if that product is not in the file.
package enum MovedCodes: String, Hashable, Sendable, CaseIterable {
    /// Moves the code to the row's product; the limits do not count the move.
    case take
    case refuse
}

/// The value that a row must have in a certain column to be imported.
package struct RowCondition: Hashable, Sendable {
    /// The name in the header, ignoring case and leading blanks.
    package var column: String
    package var value: String

    /// Reads a condition as users write it: `Type=simple`, or `Type=` for an empty cell; nil for other text.
    package init?(_ text: String) {
        guard let sign = text.firstIndex(of: "="), sign > text.startIndex else { return nil }
        (column, value) = (String(text[..<sign]), String(text[sign...].dropFirst()))
    }
}

/// Assigns a column to a field, whatever the column's name is.
package struct ColumnMapping: Hashable, Sendable {
    package var field: CatalogField
    /// The name in the header, ignoring case and leading blanks.
    package var column: String

    /// Reads a mapping as users write it: `name=Artikel`; nil for other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, let field = CatalogField(rawValue: "\(parts[0])")
        else { return nil }
        (self.field, column) = (field, String(parts[1]))
    }
}
