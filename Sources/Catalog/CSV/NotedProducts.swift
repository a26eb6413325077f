/// What an import makes of the products that were there before it.
struct NotedProducts {
    /// What became of them.
    private(set) var changes: ImportChanges
    /// How many of them rows have changed.
    private(set) var changedCount = 0
    /// Whether rows with prices for a time may follow: what became of a product is known behind the last
    /// row then.
    private let mayChangeAgain: Bool
    /// The numbers of products that were there before are lower.
    private let firstNew: Int64
    private var changed = NumberSet()
    private var kinds = NotedKinds()
    /// What changed products were, and whether every shop has lost them, where they may change again.
    private var before: [Int64: (product: Product, isLost: Bool)] = [:]

    /// Notes nothing yet.
    ///
    /// - Parameters:
    ///   - changes: How many products there were, and whether offers are counted.
    ///   - mayChangeAgain: Whether several rows may be of one product.
    ///   - firstNew: The numbers of products that were there before are lower.
    init(_ changes: ImportChanges, mayChangeAgain: Bool, firstNew: Int64) {
        self.changes = changes
        self.mayChangeAgain = mayChangeAgain
        self.firstNew = firstNew
    }

    /// Notes what rows have made of a product; nil for one that no shop has any more unless its own row
    /// says so.
    mutating func noteChange(of existing: ProductRows.Numbered, to product: Product?) {
        guard existing.number < firstNew else { return }
        if changed.insert(existing.number) { changedCount += 1 }
        guard mayChangeAgain else {
            return note(existing.product, became: product, number: existing.number)
        }
        var known = before[existing.number] ?? (existing.product, isLost: false)
        known.isLost = known.isLost || product == nil
        before[existing.number] = known
    }

    /// Notes that a product goes, or is no common one any more.
    mutating func noteLoss(of product: Product, number: Int64) {
        note(product, became: nil, number: number)
    }

    /// Notes what rows have made of products, behind the last row.
    ///
    /// - Parameter product: Finds a product as it is now.
    /// - Throws: What `product` throws.
    mutating func settle(_ product: (_ number: Int64) throws -> Product?) rethrows {
        for number in before.keys.sorted() {
            guard let old = before[number], let new = try product(number) else { continue }
            note(old.product, became: old.isLost ? nil : new, number: number)
        }
        before = [:]
    }

    private mutating func note(_ old: Product, became new: Product?, number: Int64) {
        changes.note(old, became: new, number: number, &kinds)
    }
}
