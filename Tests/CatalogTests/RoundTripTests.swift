import Barcodes
import Catalog
import TestTexts
import Testing

/// Tests that an export and an import of a random catalog give the same catalog.
@Suite struct RoundTripTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func anExportImportsToTheSameCatalog(seed: UInt64) throws {
        let (one, other) = (try ShopCatalog(), try ShopCatalog())
        var random = RandomProducts(seed: seed)
        try random.fill(one)
        try random.fill(other)
        let text = try one.whole.exported()
        try one.expectRoundTrip(of: RandomProducts.shops)

        // An import of the whole file makes another catalog the same, whatever it had before.
        try other.take(text, isWhole: true)
        try other.expectSameProducts(as: one, of: RandomProducts.shops)
        let again = try other.take(text, isWhole: true) { $0.changeLimit = ChangeLimit("0%") }
        #expect(again.changes.count == 0 && again.updated + again.added + again.removed == 0)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func whatAShopHasIsWrittenAsItIs(seed: UInt64) throws {
        let chain = try ShopCatalog()
        var random = RandomProducts(seed: seed)
        try random.fill(chain)
        let products = try chain.products(of: "a")
        let ids = products.map(\.id)
        #expect(ids == ids.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        let copy = try CatalogFile.inMemory()
        try random.fill(copy)
        try copy.write(whole: true, { add in try products.forEach(add) })
        var copied: [Product] = []
        try copy.forEachProduct { copied.append($0) }
        #expect(copied == products)
        // The shop's file comes back unchanged, too, even if its prices for a time overlap.
        let (text, file) = (try chain.exported(of: "a"), try ShopCatalog())
        try file.take(text)
        #expect(try file.whole.exported() == text)
    }
}

/// Tests that catalogs with the same products give the same answers, whatever their history.
@Suite struct SharedCodeTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func aRegisterThatFollowsFindsWhatItsPublisherFinds(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let codes = ["4006381333931", "04006381333931", "96385074", "KW-HB", "kw-hb", "12", "x"]
        let products = (0..<40).map { id in
            let count = Int.random(in: 0...3, using: &random)
            return Product(id: "\(id)", codes: Array(codes.shuffled(using: &random).prefix(count)))
        }
        let (publisher, register) = (try CatalogFile.inMemory(), try CatalogFile.inMemory())
        // The register had other products before, and gets the new ones in another order.
        try register.add(Product(id: "39", codes: ["x"]), Product(id: "gone", codes: ["12"]))
        for (catalog, whole) in [(publisher, false), (register, true)] {
            try catalog.write(whole: whole) { try products.shuffled(using: &random).forEach($0) }
        }
        for code in codes + ["KW-hb"] {
            let scan = BarcodeDecoder().decode(code)
            let (mine, other) = (try publisher.match(for: scan), try register.match(for: scan))
            #expect(mine == other)
            #expect(try publisher.match(forText: code) == register.match(forText: code))
            let ids = mine?.candidates.map(\.id) ?? []
            #expect(ids == ids.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        }
    }

    @Test func aDeltaMayShareACodeWithAProductThatItDoesNotName() throws {
        let catalog = try catalog("id,code\nold,a|b\n")
        let summary = try catalog.write(whole: false) { try $0(Product(id: "new", codes: ["a"])) }
        #expect(summary.added == 1 && summary.updated == 0)
        #expect(try catalog.product(id: "old")?.codes == ["a", "b"])
    }
}

/// Random products with unusual characters, prices for a time, and offers of shops.
private struct RandomProducts {
    static let shops = ["a", "B-2"]

    private var random: SplitMix
    private var texts: RandomTexts

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
        texts = RandomTexts(
            seed: seed, more: Array("\",;\t\n\r|\\' =\u{A0}\u{301}e".unicodeScalars))
    }

    mutating func fill(_ chain: ShopCatalog) throws {
        try fill(chain.whole)
        // Each shop gets an article of its own, and offers of some other articles.
        var csv = "id,price,valid_from,valid_until,scope,listed,name\n"
        for shop in Self.shops {
            csv += "own-\(shop),,,,\(shop),,Own\n"
            for id in 0..<12 where Bool.random(using: &random) {
                csv +=
                    "\(id),\(price()),,,\(shop),\(["", "no"].randomElement(using: &random) ?? ""),\n"
                for (from, until) in times() {
                    csv += "\(id),\(price()),\(from),\(until),\(shop),,\n"
                }
            }
        }
        csv += "4,,,,,no,\n"
        try chain.take(csv)
    }

    mutating func fill(_ catalog: CatalogFile) throws {
        let euro = try #require(Currency("EUR"))
        var products: [Product] = []
        for id in 0..<12 {
            var product = Product(id: "\(id)")
            product.name = Bool.random(using: &random) ? text() : nil
            product.unit = Bool.random(using: &random) ? text() : nil
            product.codes = (0..<Int.random(in: 0..<3, using: &random)).map { "\($0)\(text())" }
            for name in ["colour", "price", "a,\"b", "attribute:x", "=1"]
            where Bool.random(using: &random) {
                product.attributes[name] = text()
            }
            product.price = try Price(amount: price(), currency: euro)
            products.append(product)
        }
        try catalog.write(whole: false, { add in try products.forEach(add) })
    }

    /// Returns a random text in angle brackets, because an import removes blanks around a text.
    private mutating func text() -> String { "<" + texts.next() + ">" }

    private mutating func price() -> String { "\(Int.random(in: 1..<2000, using: &random)).25" }

    private mutating func times() -> [(String, String)] {
        (0..<Int.random(in: 0..<4, using: &random)).map { _ in
            let day = Int.random(in: 10..<20, using: &random)
            let (from, until) = ("2026-12-\(day)T00:00:00Z", "2026-12-\(day + 3)T00:00:00Z")
            return [(from, until), (from, ""), ("", until)].randomElement(using: &random) ?? (
                "", until
            )
        }
    }
}
