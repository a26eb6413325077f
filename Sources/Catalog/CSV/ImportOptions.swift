package import Foundation

package struct ImportOptions: Hashable, Sendable {
    /// The columns that the user assigned to fields; such a field's usual column names are ignored.
    package var mappings: [ColumnMapping]
    /// The currency of prices that do not name one.
    package var currency: Currency?
    /// Whether to import the valid rows even if others are invalid.
    package var skipsInvalidRows: Bool
    package var encoding = TextEncoding.utf8
    /// The decimal sign of prices; nil to learn it from the file.
    package var decimalMark: DecimalMark?
    /// Whether to leave codes unchanged even if they have probably lost zeros.
    package var keepsCodes = false
    /// The time zone of times without an offset (`Europe/Berlin`); nil to reject such times.
    package var timeZone: TimeZone?
    /// The shop that all rows belong to; nil if a column names the shop.
    package var scope: CatalogScope?
    /// Conditions that a row must meet; other rows are left out.
    package var conditions: [RowCondition] = []
    /// Whether the file contains all products, so that the catalog's other products are removed.
    package var isWhole = false
    /// The line that must be the last one; nil if any line may be.
    package var endLine: String?
    /// The share of products that may change or be removed; nil for no limit.
    package var changeLimit: ChangeLimit?
    /// The share that may be removed, or lose price, name or codes, if `changeLimit` is nil; nil for no limit.
    package var lossLimit: ChangeLimit?
    /// The rule for a row that claims another product's code; nil moves the code, which counts as a loss.
    package var movedCodes: MovedCodes?
    /// Whether to report what would change, and import nothing.
    package var isTrial = false

    package init(
        mappings: [ColumnMapping] = [], currency: Currency? = nil, skipsInvalidRows: Bool = false
    ) {
        (self.mappings, self.currency) = (mappings, currency)
        self.skipsInvalidRows = skipsInvalidRows
    }
}

/// The rule for a row with an id that claims a code of another product, which the file does not name.
package enum MovedCodes: String, Hashable, Sendable, CaseIterable {
    /// Moves the code, which counts toward no limit.
    case take
    /// Rejects the row.
    case refuse
}

/// The value that a column must have for its row to be imported.
package struct RowCondition: Hashable, Sendable {
    /// The column's name as in the header, ignoring case and surrounding blanks.
    package var column: String
    /// The value that the column must have, ignoring case.
    package var value: String

    /// Reads a condition as users write it: `Type=simple`, or `Type=` for an empty cell; nil for other text.
    package init?(_ text: String) {
        guard let sign = text.firstIndex(of: "="), sign > text.startIndex else { return nil }
        (column, value) = (String(text[..<sign]), String(text[sign...].dropFirst()))
    }
}

/// A column that holds a field, whatever its name.
package struct ColumnMapping: Hashable, Sendable {
    package var field: CatalogField
    /// The column's name as in the header, ignoring case and surrounding blanks.
    package var column: String

    /// Reads a mapping as users write it: `name=Artikel`; nil for other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, let field = CatalogField(rawValue: "\(parts[0])")
        else { return nil }
        (self.field, column) = (field, String(parts[1]))
    }
}
