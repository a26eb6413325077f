/// What a row says of a product.
struct ProductDraft: Equatable {
    var id: String?
    var codes: [String] = []
    var name: String?
    var price: Price?
    var unit: String?
    var attributes: [String: String] = [:]
    /// Prices for a time.
    var datedPrices: [DatedPrice] = []
    /// Prices that the file's decimal sign decides after the last row.
    var undecidedPrices: [UndecidedOffer] = []
    /// Whether the row has a price for a time in place of the usual one.
    var isDated = false
    /// The shop whose offer the row is; nil if it says what all shops have.
    var scope: CatalogScope?
    /// Whether it is listed; nil if the row does not say.
    var isListed: Bool?

    /// Whether it says nothing but perhaps attributes.
    var isBare: Bool {
        codes.isEmpty && name == nil && price == nil && datedPrices.isEmpty
            && undecidedPrices.isEmpty
    }

    /// The usual price as it was read.
    var usual: PriceReading? {
        get { price.map(PriceReading.price) }
        set {
            switch newValue {
            case .price(let price): self.price = price
            case .undecided(let price): undecidedPrices.append(UndecidedOffer(price: price))
            case nil: break
            }
        }
    }

    /// Adds a price for a time, unless that is all time, and returns whether it did.
    mutating func add(
        _ reading: PriceReading, _ period: (from: Int64?, until: Int64?)
    ) throws(InvalidRow.Reason) -> Bool {
        guard period.from != nil || period.until != nil else { return false }
        switch reading {
        case .price(let price):
            guard let dated = DatedPrice(price, from: period.from, until: period.until) else {
                throw .time(found: "\(period.from ?? period.until ?? 0)")
            }
            datedPrices = [dated]
        case .undecided(let price):
            undecidedPrices.append(
                UndecidedOffer(price: price, from: period.from, until: period.until))
        }
        return true
    }

    /// The product a row adds; an id it lacks is its first code.
    var product: Product {
        Product(
            id: id ?? codes.first ?? "", codes: codes, name: name, price: price, unit: unit,
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
        let known = Set(product.codes.map { CodeKeys($0).first })
        if !codes.allSatisfy({ known.contains(CodeKeys($0).first) }) {
            throw .otherArticle(
                id: product.id, column: columns.name(of: .code),
                found: CodeField.field(of: codes), expected: CodeField.field(of: product.codes))
        }
        let fields =
            [
                (columns.name(of: .name), name, product.name),
                (columns.name(of: .unit), unit, product.unit),
            ]
            + columns.attributes.map { ($0.name, attributes[$0.name], product.attributes[$0.name]) }
        for case (let column, let found?, let expected) in fields where found != expected {
            throw .otherArticle(
                id: product.id, column: column, found: found, expected: expected ?? "")
        }
    }

    /// The codes, and after them the others that are no spelling of one of them.
    static func merged(_ codes: [String], _ others: [String]) -> [String] {
        var known = Set(codes.map { CodeKeys($0).first })
        return codes + others.filter { known.insert(CodeKeys($0).first).inserted }
    }
}

/// A price that the file's decimal sign decides: the usual one, or one for a time.
struct UndecidedOffer: Equatable {
    let price: UndecidedPrice
    /// From when on it holds, in microseconds since 1970.
    var from: Int64?
    /// When it does not hold any more.
    var until: Int64?
}
