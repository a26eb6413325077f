import WireText

/// What a row says of a product.
struct ProductDraft {
    var id: String?
    var codes: [String] = []
    var name: String?
    var unit: String?
    var attributes: [String: String] = [:]
    /// The usual price and those for a time.
    var prices: [Price] = []
    /// Whether the row has a price for a time in place of the usual one.
    var isDated = false
    /// The shop whose offer the row is; nil if it says what all shops have.
    var scope: CatalogScope?
    /// Whether it is listed; nil if the row does not say.
    var isListed: Bool?

    /// A price as the tables of `Staging` have it.
    struct Price {
        /// The amount, or after a `?` a text that the file's decimal sign decides after the last row.
        let amount: String
        let currency: Currency
        /// From when on it holds and when it does not hold any more, in microseconds since 1970.
        var from, until: Int64?

        var isOpen: Bool { amount.utf8.first == UInt8(ascii: "?") }
        var isDated: Bool { from != nil || until != nil }
    }

    /// Whether it says nothing but perhaps attributes.
    var isBare: Bool { codes.isEmpty && name == nil && prices.isEmpty }

    /// The product a row adds; an id it lacks is its first code.
    var product: Product {
        Product(
            id: id ?? codes.first ?? "", codes: codes, name: name, unit: unit,
            attributes: attributes)
    }

    /// An article that only rows of shops name, as one of them wants it: what it leaves empty stays.
    func completing(_ product: Product) -> Product {
        var result = product
        if !codes.isEmpty { result.codes = id == nil ? Self.merged(product.codes, codes) : codes }
        result.name = name ?? product.name
        result.unit = unit ?? product.unit
        result.attributes.merge(attributes) { $1 }
        return result
    }

    /// Makes sure that a row says nothing else of an article that only other shops have: what it leaves
    /// empty does not matter, nor how it spells a code.
    func checkAgreement(
        with product: Product, columns: ColumnMap
    ) throws(InvalidRow.Reason) {
        let areKnown = Self.merged(product.codes, codes).count == product.codes.count
        let fields =
            [
                (
                    columns.name(of: .code), areKnown ? nil : CodeField.field(of: codes),
                    CodeField.field(of: product.codes)
                ),
                (columns.name(of: .name), name, product.name),
                (columns.name(of: .unit), unit, product.unit),
            ]
            + columns.attributes.map { ($0.name, attributes[$0.name], product.attributes[$0.name]) }
        for case (let column, let found?, let expected) in fields where found != expected {
            throw .init(
                "The column \(quoted: column) holds \(quoted: found), and the article "
                    + "\(quoted: product.id) of other shops has \(quoted: expected ?? ""); expected the "
                    + "same, nothing, or a row without a scope.")
        }
    }

    /// The codes, and after them the others that are no spelling of one of them.
    static func merged(_ codes: [String], _ others: [String]) -> [String] {
        var known = Set(codes.map { CodeKeys($0).first })
        return codes + others.filter { known.insert(CodeKeys($0).first).inserted }
    }
}
