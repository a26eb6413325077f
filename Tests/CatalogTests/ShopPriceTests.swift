import Catalog
import TestTexts
import Testing
import WireText

/// Compares what shops sell, and at which prices, with a simple model of docs/catalog.md.
@Suite struct ShopPriceTests {
    private static let shops = ["a", "b", "c"]
    private static let days: Range<Int64> = 0..<8

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func aShopSellsWhatTheModelSells(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let chain = try ShopCatalog()
        var model = Model()
        // The first file names every shop, so that all shops are known.
        let first = RandomFile(Self.shops.map { .init(id: "0", scope: $0) }, isWhole: false)
        try take(first, into: chain, &model)
        for step in 0..<10 {
            try take(RandomFile(&random), into: chain, &model)
            for shop in Self.shops {
                let products = try chain.products(of: shop)
                for day in Self.days {
                    let found = products.map { product in
                        "\(product.id) \(product.priced(at: day).price?.amount ?? "none")"
                    }
                    #expect(found == model.prices(of: shop, day), "\(shop), \(day), step \(step)")
                }
            }
        }
        try chain.expectRoundTrip(of: Self.shops.filter(model.knows))
    }

    private func take(_ file: RandomFile, into chain: ShopCatalog, _ model: inout Model) throws {
        try chain.take(file.csv, for: file.shop, isWhole: file.isWhole)
        model.take(file)
    }
}

/// A file of a few rows.
private struct RandomFile {
    struct Row {
        var id: String
        var scope = ""
        var price = ""
        var listed = ""
        var time: (from: Int64?, until: Int64?)?

        func holds(_ day: Int64) -> Bool {
            guard let time else { return false }
            return time.from ?? .min <= day && day < time.until ?? .max
        }
    }

    var rows: [Row]
    var isWhole: Bool
    /// The shop to which all rows belong, if they belong to one.
    var shop: String?
    var hasPrices = true
    var hasTimes = true
    var hasListed = true
    var hasScopes = true

    init(_ rows: [Row], isWhole: Bool) {
        self.rows = rows
        self.isWhole = isWhole
    }

    init(_ random: inout SplitMix) {
        rows = []
        isWhole = Int.random(in: 0..<3, using: &random) == 0
        shop = Int.random(in: 0..<3, using: &random) == 0 ? "a" : nil
        hasScopes = shop == nil && Bool.random(using: &random)
        hasTimes = Bool.random(using: &random)
        hasListed = Bool.random(using: &random)
        hasPrices = hasTimes || Int.random(in: 0..<4, using: &random) > 0
        for id in 1...5 {
            for scope in hasScopes ? ["", "a", "b", "c"] : [""] where Bool.random(using: &random) {
                addRows(of: "\(id)", scope, &random)
            }
        }
        rows.shuffle(using: &random)
    }

    private mutating func addRows(of id: String, _ scope: String, _ random: inout SplitMix) {
        func price() -> String { "\(Int.random(in: 1..<5, using: &random)).00" }
        func listed() -> String {
            hasListed ? ["yes", "no", ""].randomElement(using: &random) ?? "" : ""
        }
        if Int.random(in: 0..<4, using: &random) > 0 {
            let usual = hasPrices && Bool.random(using: &random) ? price() : ""
            rows.append(Row(id: id, scope: scope, price: usual, listed: listed()))
        }
        let count = hasTimes ? Int.random(in: 0..<3, using: &random) : 0
        // All rows with a price for a time have the same value in the column `listed`.
        let standing = listed()
        for _ in 0..<count {
            let from = Int64.random(in: 0..<6, using: &random)
            let until = from + Int64.random(in: 1..<4, using: &random)
            let time: (Int64?, Int64?) =
                [(from, until), (from, nil), (nil, until)].randomElement(using: &random) ?? (nil, 1)
            rows.append(
                Row(id: id, scope: scope, price: price(), listed: standing, time: time))
        }
    }

    var csv: String {
        let columns =
            ["id"] + (hasPrices ? ["price"] : []) + (hasScopes ? ["scope"] : [])
            + (hasListed ? ["listed"] : []) + (hasTimes ? ["valid_from", "valid_until"] : [])
        let lines = rows.map { row in
            let times = [row.time?.from, row.time?.until].map { $0.map(RFC3339.text) ?? "" }
            return
                ([row.id] + (hasPrices ? [row.price] : []) + (hasScopes ? [row.scope] : [])
                + (hasListed ? [row.listed] : []) + (hasTimes ? times : [])).joined(separator: ",")
        }
        return ([columns.joined(separator: ",")] + lines).joined(separator: "\n") + "\n"
    }
}

/// A model that applies the rules of docs/catalog.md one after the other.
private struct Model {
    struct Offer {
        var isListed: Bool
        var price = ""
        var times: [RandomFile.Row] = []

        /// Returns the price that began last; of several, the one that ends first, then the lowest.
        func price(on day: Int64) -> String? {
            let best = times.filter { $0.holds(day) }.min { one, other in
                let (from, others) = (one.time?.from ?? .min, other.time?.from ?? .min)
                if from != others { return from > others }
                let (until, ends) = (one.time?.until ?? .max, other.time?.until ?? .max)
                return until != ends ? until < ends : one.price < other.price
            }
            return best?.price
        }
    }

    /// The offers by article and shop; the shop `""` means all shops.
    private var articles: [String: [String: Offer]] = [:]

    /// Whether a shop has an offer of its own.
    func knows(_ shop: String) -> Bool { articles.values.contains { $0[shop] != nil } }

    func prices(of shop: String, _ day: Int64) -> [String] {
        articles.keys.sorted().compactMap { id in
            let (common, own) = (articles[id]?[""], articles[id]?[shop])
            guard own?.isListed ?? common?.isListed ?? false else { return nil }
            let prices = [
                own?.price(on: day), own?.price, common?.price(on: day), common?.price,
            ]
            return "\(id) \(prices.compactMap(\.self).first { !$0.isEmpty } ?? "none")"
        }
    }

    mutating func take(_ file: RandomFile) {
        var rows = file.rows
        if let shop = file.shop { for index in rows.indices { rows[index].scope = shop } }
        let before = articles
        for row in rows { take(row, file, before[row.id]?[row.scope]) }
        if file.hasTimes {
            for row in rows { articles[row.id]?[row.scope]?.times = [] }
            for row in rows where row.time != nil {
                articles[row.id]?[row.scope]?.times.append(row)
            }
        }
        if file.isWhole { removeOthers(rows, file) }
    }

    private mutating func take(_ row: RandomFile.Row, _ file: RandomFile, _ old: Offer?) {
        let known = articles[row.id]?[row.scope]
        if row.time != nil {
            // A row with a price for a time changes nothing else of an existing offer.
            if known == nil { put(Offer(isListed: row.listed != "no"), row) }
            return
        }
        var offer = old ?? Offer(isListed: true)
        let standing = file.hasListed || !row.scope.isEmpty || (old?.isListed ?? true)
        offer.isListed = row.listed.isEmpty ? standing : row.listed == "yes"
        if file.hasPrices { offer.price = row.price }
        put(offer, row)
    }

    private mutating func put(_ offer: Offer, _ row: RandomFile.Row) {
        articles[row.id, default: [:]][row.scope] = offer
    }

    private mutating func removeOthers(_ rows: [RandomFile.Row], _ file: RandomFile) {
        for (id, offers) in articles {
            let named = Set(rows.filter { $0.id == id }.map(\.scope))
            if let shop = file.shop {
                let isListed = offers[shop]?.isListed ?? offers[""]?.isListed ?? false
                if isListed, !named.contains(shop) { articles[id]?[shop] = Offer(isListed: false) }
            } else if file.hasScopes {
                articles[id] = offers.filter { named.contains($0.key) }
                if named.isEmpty { articles[id] = nil }
            } else if named.isEmpty, offers[""] != nil {
                articles[id] = nil
            }
        }
    }
}
