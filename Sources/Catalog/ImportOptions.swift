/// How a CSV file is to be read.
package struct ImportOptions: Hashable, Sendable {
    /// Columns that hold a field whatever they are called.
    ///
    /// A field mapped is not looked for under the names recognised.
    package var mappings: [ColumnMapping]
    /// The currency of prices that name none.
    package var currency: Currency?
    /// Whether to import the valid rows where others are invalid.
    package var skipsInvalidRows: Bool

    /// Makes options.
    ///
    /// - Parameters:
    ///   - mappings: Columns that hold a field whatever they are called.
    ///   - currency: The currency of prices that name none.
    ///   - skipsInvalidRows: Whether to import the valid rows where others are invalid.
    package init(
        mappings: [ColumnMapping] = [], currency: Currency? = nil, skipsInvalidRows: Bool = false
    ) {
        self.mappings = mappings
        self.currency = currency
        self.skipsInvalidRows = skipsInvalidRows
    }
}
