/// What an import makes of the products that were there before it.
struct NotedProducts {
    /// What became of them.
    private(set) var changes: ImportChanges
    /// How many of them rows have changed.
    private(set) var changedCount = 0
    /// Whether rows with prices for a time may follow.
    private let hasTimes: Bool
    /// The numbers of products that were there before are lower.
    private let firstNew: Int64
    private var changed = NumberSet()
    private var kinds = NotedKinds()
    /// Products that have lost their price, as they were: they may get one for a time yet.
    private var withoutPrice: [Int64: Product] = [:]

    /// Notes nothing yet.
    ///
    /// - Parameters:
    ///   - changes: How many products there were, and whether offers are counted.
    ///   - hasTimes: Whether the file says which prices hold for a time.
    ///   - firstNew: The numbers of products that were there before are lower.
    init(_ changes: ImportChanges, hasTimes: Bool, firstNew: Int64) {
        self.changes = changes
        self.hasTimes = hasTimes
        self.firstNew = firstNew
    }

    /// Notes what rows have made of a product; nil for one that no shop has any more unless its own row
    /// says so.
    mutating func noteChange(of existing: ProductRows.Numbered, to product: Product?) {
        guard existing.number < firstNew else { return }
        if changed.insert(existing.number) { changedCount += 1 }
        let (number, old) = (existing.number, existing.product)
        guard hasTimes, let product else { return note(old, became: product, number: number) }
        guard withoutPrice[number] == nil else { return }
        if ImportChanges.Kind(old, became: product) == .priceLost {
            withoutPrice[number] = old
        } else {
            note(old, became: product, number: number)
        }
    }

    /// Notes that a product goes, or is no common one any more.
    mutating func noteLoss(of product: Product, number: Int64) {
        note(product, became: nil, number: number)
    }

    /// Notes what became of products that have lost their price, behind the last row.
    ///
    /// - Parameter product: Finds a product as it is now.
    /// - Throws: What `product` throws.
    mutating func settle(_ product: (_ number: Int64) throws -> Product?) rethrows {
        for (number, old) in withoutPrice.sorted(by: { $0.key < $1.key }) {
            guard let new = try product(number) else { continue }
            note(old, became: new, number: number)
        }
        withoutPrice = [:]
    }

    private mutating func note(_ old: Product, became new: Product?, number: Int64) {
        changes.note(old, became: new, number: number, &kinds)
    }
}
