/// What a row says of a product.
struct ProductDraft: Equatable {
    var id: String?
    var codes: [String] = []
    var name: String?
    var price: Price?
    var unit: String?
    var attributes: [String: String] = [:]

    /// The product a row adds; an id it lacks is its first code.
    var product: Product {
        Product(
            id: id ?? codes.first ?? "", codes: codes, name: name, price: price, unit: unit,
            attributes: attributes)
    }

    /// A product of the catalog as the row wants it: what the file has no column for stays.
    ///
    /// A row with an id says all codes of its product. A row that goes by a code adds codes and
    /// takes none away: a price list has one code a row, however many the product has.
    func updating(_ product: Product, columns: ColumnMap) -> Product {
        var result = product
        if columns.columns[.code] != nil {
            result.codes = id == nil ? Self.merged(product.codes, codes) : codes
        }
        if columns.columns[.name] != nil { result.name = name }
        if columns.columns[.price] != nil { result.price = price }
        if columns.columns[.unit] != nil { result.unit = unit }
        for (_, name) in columns.attributes { result.attributes[name] = attributes[name] }
        return result
    }

    /// The codes, and behind them the others that are no spelling of one of them.
    private static func merged(_ codes: [String], _ others: [String]) -> [String] {
        var known = Set(codes.map { CodeKeys($0).first })
        return codes + others.filter { known.insert(CodeKeys($0).first).inserted }
    }
}
