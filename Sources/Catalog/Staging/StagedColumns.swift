/// The fields that the rows of an import set; all others stay as they are.
struct StagedColumns {
    var codes = true
    var name = true
    var unit = true
    var price = true
    /// The prices for a time: those that no row has go.
    var times = true
    var listed = true
    /// The scope of each row.
    var scope = false
    /// The names of attributes; nil for all of them.
    var attributes: Set<String>?
    /// The columns of a file.
    var map: ColumnMap?

    /// All fields.
    init() {}

    /// The fields that a file has columns for.
    init(_ map: ColumnMap) {
        func has(_ field: CatalogField) -> Bool { map.columns[field] != nil }
        (codes, name, unit, price) = (has(.code), has(.name), has(.unit), has(.price))
        times = has(.validFrom) || has(.validUntil)
        (listed, scope) = (has(.listed), has(.scope))
        attributes = Set(map.attributes.map(\.name))
        self.map = map
    }
}
