import WireText

/// The rows of an export.
struct ExportTable {
    let fields: [CatalogField]
    let attributes: [String]

    var header: [String] {
        fields.map(\.rawValue) + attributes.map(ColumnMap.header(forAttribute:))
    }

    /// The rows of a product: its own, those of its prices for a time, and those of each shop.
    ///
    /// What only shops name, and has no common price, has no row of its own: the first shop's says what
    /// it is.
    func rows(of product: Product, _ shops: ShopsOfProduct?) -> [[String]] {
        var rows: [[String]] = []
        let isShopsOwn =
            shops.map { $0.isListed == nil && !$0.offers.isEmpty } ?? false
            && product.price == nil && product.datedPrices.isEmpty
        if !isShopsOwn {
            rows.append(row(of: product, listed: shops.map { $0.isListed ?? false } ?? true))
            rows += product.datedPrices.map { row(of: $0, product.id) }
        }
        for (index, offer) in (shops?.offers ?? []).enumerated() {
            var offered = isShopsOwn && index == 0 ? product : Product(id: product.id)
            offered.price = offer.price
            rows.append(row(of: offered, in: offer.scope, listed: offer.isListed))
            rows += offer.datedPrices.map { row(of: $0, product.id, in: offer.scope) }
        }
        return rows
    }

    /// The row of a product, or of what a shop has in its place.
    private func row(
        of product: Product, in scope: String = "", listed isListed: Bool
    ) -> [String] {
        let values = fields.map { field in
            switch field {
            case .id: product.id
            case .code: product.codes.isEmpty ? "" : CodeField.field(of: product.codes)
            case .name: product.name ?? ""
            case .price: product.price?.importableAmount ?? ""
            case .currency: product.price?.currency.code ?? ""
            case .unit: product.unit ?? ""
            case .scope: scope
            case .listed: isListed ? "yes" : "no"
            default: ""
            }
        }
        return values + attributes.map { product.attributes[$0] ?? "" }
    }

    /// A price for a time, in a row of its own behind that of its product.
    private func row(of dated: DatedPrice, _ id: String, in scope: String = "") -> [String] {
        let values = fields.map { field in
            switch field {
            case .id: id
            case .price: dated.price.importableAmount
            case .currency: dated.price.currency.code
            case .validFrom: dated.from.map(RFC3339.text) ?? ""
            case .validUntil: dated.until.map(RFC3339.text) ?? ""
            case .scope: scope
            default: ""
            }
        }
        return values + [String](repeating: "", count: attributes.count)
    }
}
