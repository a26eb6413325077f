import WireText

/// A product as one row describes it; values missing from the row are nil or empty.
struct ProductDraft {
    var id: String?
    var codes: [String] = []
    var name: String?
    var unit: String?
    var attributes: [String: String] = [:]
    var prices: [Price] = []
    /// Whether the row contains a dated price instead of the usual one.
    var isDated = false
    /// The shop to which the row applies; nil if it applies to all shops.
    var scope: CatalogScope?
    var isListed: Bool?

    /// A price as stored in the staging tables.
    struct Price {
        /// The amount, or `?` and the cell's text while the decimal mark is unclear (see ``PriceNotation``).
        let amount: String
        let currency: Currency
        /// When the price starts and stops being valid, in microseconds since 1970; nil for no limit.
        var from, until: Int64?

        var isOpen: Bool { amount.utf8.first == UInt8(ascii: "?") }
        var isDated: Bool { from != nil || until != nil }
    }

    var isBare: Bool { codes.isEmpty && name == nil && prices.isEmpty }

    /// Returns the product updated with the row's values; values missing from the row stay as they are.
    ///
    /// The row's codes replace the product's codes if the row has an id; otherwise, they are added.
    func completing(_ product: Product) -> Product {
        var result = product
        if !codes.isEmpty {
            let adds = id == nil && !product.codes.isEmpty
            result.codes = adds ? Self.merged(product.codes, codes) : codes
        }
        result.name = name ?? product.name
        result.unit = unit ?? product.unit
        result.attributes.merge(attributes) { $1 }
        return result
    }

    /// Throws unless the product has all of the row's values; codes may be spelt differently.
    func checkAgreement(with product: Product, columns: ColumnMap) throws(InvalidRow.Reason) {
        let areKnown = Self.merged(product.codes, codes).count == product.codes.count
        let (said, known) = (CodeField.field(of: codes), CodeField.field(of: product.codes))
        var fields = [
            (columns.name(of: .code), areKnown ? nil : said, known),
            (columns.name(of: .name), name, product.name),
            (columns.name(of: .unit), unit, product.unit),
        ]
        fields += columns.attributes.map {
            ($0.name, attributes[$0.name], product.attributes[$0.name])
        }
        for case (let column, let found?, let expected) in fields where found != expected {
            throw .init(
                "The column \(quoted: column) holds \(quoted: found), and the article "
                    + "\(quoted: product.id) of other shops has \(quoted: expected ?? ""); expected the "
                    + "same, nothing, or a row without a scope.")
        }
    }

    /// Returns `codes`, then those of `others` that repeat no earlier code in any spelling.
    static func merged(_ codes: [String], _ others: [String]) -> [String] {
        var known = Set(codes.map { CodeKeys($0).first })
        return codes + others.filter { known.insert(CodeKeys($0).first).inserted }
    }
}
