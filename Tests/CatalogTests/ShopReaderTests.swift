import Catalog
import TestTexts
import Testing

/// Readers of shops' changes, whatever is imported and taken out.
@Suite struct ShopReaderTests {
    private static let shops = ["a", "b", "c"]

    /// What a reader of a shop has, and everything that the shop ever had.
    private struct Reader {
        var names: [String: String] = [:]
        var seen: Set<String> = []
        var cursor: ChangeCursor?
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func eachHasWhatItsShopHasAndHearsOfNothingElse(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let chain = try ShopCatalog(
            "id,name,scope\n1,one,\n2,two,\n1,,a\n2,,b\n1,,c\n")
        var readers: [String: Reader] = [:]
        for shop in Self.shops { try note(chain.shop(shop), in: &readers[shop, default: Reader()]) }
        for step in 0..<40 {
            try change(chain, &random)
            for shop in Self.shops {
                var reader = readers[shop] ?? Reader()
                try note(chain.shop(shop), in: &reader)
                // Some come seldom.
                if Int.random(in: 0..<3, using: &random) == 0 {
                    try read(chain.shop(shop), &reader, "step \(step) of \(seed) in \(shop)")
                }
                readers[shop] = reader
            }
        }
    }

    private func note(_ shop: EmbeddedCatalog, in reader: inout Reader) throws {
        reader.seen.formUnion(try shop.products(limit: 100).products.map(\.id))
    }

    private func read(
        _ shop: EmbeddedCatalog, _ reader: inout Reader, _ place: String
    ) throws {
        guard case .page(let page) = try shop.changes(since: reader.cursor, limit: 100) else {
            // The catalog was empty meanwhile.
            reader = Reader(seen: reader.seen)
            return try read(shop, &reader, place)
        }
        for id in page.removed {
            #expect(reader.seen.contains(id), "\(id) at \(place)")
            reader.names[id] = nil
        }
        for product in page.changed { reader.names[product.id] = text(product) }
        reader.cursor = ChangeCursor(page.revision)
        let present = try shop.products(limit: 100).products.map { ($0.id, text($0)) }
        #expect(reader.names == Dictionary(uniqueKeysWithValues: present), "\(place)")
    }

    private func text(_ product: Product) -> String {
        "\(product.name ?? "") \(product.price.map { "\($0)" } ?? "")"
    }

    /// One import of a few rows, or a removal.
    private func change(_ chain: ShopCatalog, _ random: inout SplitMix) throws {
        let ids = (1...5).map(String.init).filter { _ in Bool.random(using: &random) }
        switch Int.random(in: 0..<7, using: &random) {
        case 0: try chain.whole.remove(ids: ids.prefix(1))
        case 1:
            let rows = ids.map { "\($0),common \(Int.random(in: 0..<3, using: &random))\n" }
            try chain.take("id,name\n" + rows.joined(), isWhole: true)
        case 2:
            let shop = Self.shops.randomElement(using: &random)
            let rows = ids.map { "\($0),\(Int.random(in: 1..<4, using: &random))\n" }
            try chain.take("id,price\n" + rows.joined(), for: shop, isWhole: true)
        case 3: try follow(ids, in: chain, &random)
        default:
            try chain.take(
                "id,price,scope,listed,valid_from\n" + rows(of: ids, &random),
                isWhole: Int.random(in: 0..<3, using: &random) == 0)
        }
    }

    /// Takes over products of an office: they are all it has, or have changed while others went.
    private func follow(
        _ ids: [String], in chain: ShopCatalog, _ random: inout SplitMix
    ) throws {
        let before = try chain.whole.upstream()?.revision
        let number = try chain.whole.revision().number + 1
        let isWhole = before == nil || Bool.random(using: &random)
        let changed = ids.filter { _ in isWhole || Bool.random(using: &random) }
        var parts = [
            UpstreamChanges(
                changed: changed.map { Product(id: $0, name: "of the office") },
                removed: isWhole ? [] : ids.filter { !changed.contains($0) })
        ][...]
        let office = Upstream(url: "http://office", revision: "\(number)-0123456789abcdef")
        try chain.whole.follow(office, since: isWhole ? nil : before) { parts.popFirst() }
    }

    /// Some of the rows that articles may have, in any order.
    private func rows(of ids: [String], _ random: inout SplitMix) -> String {
        var rows: [String] = []
        for id in ids {
            for scope in [""] + Self.shops where Bool.random(using: &random) {
                let listed = ["yes", "no", "no", ""].randomElement(using: &random) ?? ""
                let price = Int.random(in: 0..<3, using: &random)
                rows.append("\(id),\(price == 0 ? "" : "\(price)"),\(scope),\(listed),\n")
                guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
                rows.append("\(id),5,\(scope),,2026-12-0\(price + 1)T00:00:00Z\n")
            }
        }
        return rows.shuffled(using: &random).joined()
    }
}
