package import Foundation

package struct ImportOptions: Hashable, Sendable {
    /// The user's assignments of columns to fields; columns of other fields are recognised by their names.
    package var mappings: [ColumnMapping]
    /// The currency of prices for which the file does not state one.
    package var currency: Currency?
    package var skipsInvalidRows: Bool
    package var encoding = TextEncoding.utf8
    /// The decimal mark of prices; nil to infer it from the file.
    package var decimalMark: DecimalMark?
    /// Whether codes that have probably lost leading zeros stay as they are.
    package var keepsCodes = false
    /// The time zone of times without an offset; nil to reject them.
    package var timeZone: TimeZone?
    /// The shop to which all rows apply; nil if a column names the shop, or the rows apply to all shops.
    package var scope: CatalogScope?
    package var conditions: [RowCondition] = []
    /// Whether the file is complete, so that products missing from it are removed.
    package var isWhole = false
    /// The text that the last line must have, as proof that the file is complete; nil to skip this check.
    package var endLine: String?
    /// The largest share of products that may change or be removed; nil to apply `lossLimit` instead.
    package var changeLimit: ChangeLimit?
    /// The largest allowed share of losses (``ChangeSummary/lossCount``) if `changeLimit` is nil; nil for no limit.
    package var lossLimit: ChangeLimit?
    /// How to handle a row that claims another product's code; if nil, the code moves, and the move counts as a loss.
    package var movedCodes: MovedCodes?
    /// Whether to only report what would change, without importing anything.
    package var isTrial = false

    package init(
        mappings: [ColumnMapping] = [], currency: Currency? = nil, skipsInvalidRows: Bool = false
    ) {
        (self.mappings, self.currency) = (mappings, currency)
        self.skipsInvalidRows = skipsInvalidRows
    }
}

/// How to handle a row that claims the code of a product that is not in the file.
package enum MovedCodes: String, Hashable, Sendable, CaseIterable {
    /// Moves the code to the row's product; the move does not count towards the import's limits.
    case take
    case refuse
}

/// A condition for importing a row: the value that the row must have in a column.
package struct RowCondition: Hashable, Sendable {
    /// The column's name in the header; case and leading spaces are ignored.
    package var column: String
    package var value: String

    /// Parses a condition such as `Type=simple`, or `Type=` for an empty cell; nil for other text.
    package init?(_ text: String) {
        guard let sign = text.firstIndex(of: "="), sign > text.startIndex else { return nil }
        (column, value) = (String(text[..<sign]), String(text[sign...].dropFirst()))
    }
}

/// An assignment of a column to a field, which takes precedence over the column's name.
package struct ColumnMapping: Hashable, Sendable {
    package var field: CatalogField
    /// The column's name in the header; case and leading spaces are ignored.
    package var column: String

    /// Parses a mapping such as `name=Artikel`; returns nil if the text is not a mapping of a known field.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, let field = CatalogField(rawValue: "\(parts[0])")
        else { return nil }
        (self.field, column) = (field, String(parts[1]))
    }
}
