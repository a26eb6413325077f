import TestTexts
import Testing

@testable import Catalog

/// Tests that all prices of a file together decide its decimal sign.
@Suite struct PriceNotationTests {
    private let euro = Currency("EUR")

    /// Reads a column's prices, and returns the amounts; nil for one that stays ambiguous.
    private func column(
        _ texts: [String], given: DecimalMark? = nil, currency: Currency? = Currency("EUR")
    ) throws -> [String?] {
        var notation = PriceNotation(given: given)
        let prices = try texts.map { try notation.read($0, column: nil, fallback: currency) }
        return prices.map { price in
            guard price.isOpen else { return price.amount }
            let text = String(price.amount.dropFirst())
            return (try? notation.price(reading: text, in: price.currency))?.amount
        }
    }

    @Test(arguments: [
        (["1.999", "2,50"], ["1999.00", "2.50"]), (["1.999", "2.50"], ["1.999", "2.50"]),
        (["1,999", "2.50"], ["1999.00", "2.50"]), (["1,999", "0,5"], ["1.999", "0.50"]),
        (["1.999", "1.299.000"], ["1999.00", "1299000.00"]),
        (["1.999", "1'299.00"], ["1.999", "1299.00"]), (["1.999", "0.999"], ["1.999", "0.999"]),
        (["1.500", "1 299,00"], ["1500.00", "1299.00"]),
    ])
    func theOtherPricesDecide(texts: [String], amounts: [String]) throws {
        #expect(try column(texts) == amounts)
        #expect(try column(texts.reversed()) == amounts.reversed())
    }

    @Test(arguments: [
        ["1.999"], ["2.499 €"], ["1.999", "12.500"], ["1.999", "5", "1999"], ["1.999", "1'299"],
    ])
    func whatStaysOpenIsNoPrice(texts: [String]) throws {
        #expect(try column(texts)[0] == nil)
    }

    @Test func aColumnOfBothSignsDecidesNothing() throws {
        #expect(try column(["1.999", "1.99", "1,99"]) == [nil, "1.99", "1.99"])
    }

    @Test func anOptionDecides() throws {
        #expect(try column(["1.999", "2.499 €"], given: .comma) == ["1999.00", "2499.00"])
        #expect(try column(["1.999"], given: .point) == ["1.999"])
        #expect(throws: PriceError.otherDecimalMark(text: "1.99", expected: .comma)) {
            try column(["1.99"], given: .comma)
        }
    }

    @Test func threeDecimalsAreUsualInSomeCurrencies() throws {
        let dinar = Currency("KWD")
        #expect(try column(["1.250"], currency: dinar) == ["1.250"])
        #expect(try column(["1.250", "0,500"], currency: dinar) == ["1250.000", "0.500"])
    }

    @Test func aCurrencyWithoutDecimalsGroupsIfItIsWritten() throws {
        #expect(try column(["Rp15.000"]) == ["15000.00"])
        #expect(try column(["15.000"], currency: Currency("IDR")) == [nil])
    }

    /// Writes random numbers in a notation, and expects to read the same numbers.
    @Test(arguments: [",.", ".,", "'.", " ,", "\u{A0},", "\u{202F},"])
    func everyNumberComesBackInItsNotation(signs: String) throws {
        var random = SplitMix(seed: 34)
        var amounts = (0..<200).map { _ in Int.random(in: 0..<1_000_000_000, using: &random) }
        amounts += [5, 99, 100, 123_456, 1_999_000]
        let (group, decimal) = (String(signs.first ?? ","), String(signs.last ?? "."))
        let texts = amounts.map { amount in
            var whole = String(amount / 100)
            for place in stride(from: whole.count - 3, to: 0, by: -3) {
                whole.insert(
                    contentsOf: group, at: whole.index(whole.startIndex, offsetBy: place))
            }
            return amount % 100 == 0
                ? whole : whole + decimal + String("0\(amount % 100)".suffix(2))
        }
        let expected = amounts.map { "\($0 / 100).\("0\($0 % 100)".suffix(2))" }
        #expect(try column(texts) == expected)
    }
}

/// Tests imports of files whose prices decide each other's decimal sign.
@Suite struct UndecidedPriceTests {
    private func take(_ csv: String, skipping: Bool = false) throws -> CatalogFile {
        try TriedImport(csv) { $0.skipsInvalidRows = skipping }.catalog
    }

    @Test func theLastRowDecidesTheFirst() throws {
        let catalog = try take("id;price\n1;1.999\n2;2.499 €\n3;CHF 12.000\n4;0,50\n")
        let prices = try (1...4).map { try catalog.product(id: "\($0)")?.price?.description }
        #expect(prices == ["1999.00 EUR", "2499.00 EUR", "12000.00 CHF", "0.50 EUR"])
    }

    @Test func pricesForATimeAreDecidedToo() throws {
        let csv = """
            id;price;valid_from
            1;1.500;
            1;1.250;2026-12-01T00:00:00Z
            1;99,00;2026-12-24T00:00:00Z

            """
        let product = try #require(try take(csv).product(id: "1"))
        #expect(product.price?.amount == "1500.00")
        #expect(product.datedPrices.map(\.price.amount) == ["99.00", "1250.00"])
    }

    @Test func aSalePriceDecidesThePrice() throws {
        let woo = """
            ID,Regular price,Sale price,Date sale price starts
            1,"1.500","1.299,00",2026-12-01T00:00:00Z

            """
        let product = try #require(try take(woo).product(id: "1"))
        #expect(product.price?.amount == "1500.00")
        #expect(product.datedPrices.first?.price.amount == "1299.00")
    }

    @Test func whatStaysOpenIsARowThatIsSkipped() throws {
        #expect(try TriedImport("id;price\n1;1.999\n2;5\n").invalid.count == 1)
        let catalog = try take("id;price\n1;1.999\n2;5\n", skipping: true)
        #expect(try catalog.count() == 1)
        #expect(try catalog.product(id: "2")?.price?.amount == "5.00")
    }
}
