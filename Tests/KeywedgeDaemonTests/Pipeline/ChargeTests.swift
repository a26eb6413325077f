import Barcodes
import Catalog
import Testing

@testable import KeywedgeDaemon

/// Tests the boundaries; the table in examples/pos/charges.keys has every kind of scan.
@Suite struct ChargeTests {
    private func charge(
        _ text: String, price: String? = "5.00", _ currency: String = "EUR", unit: String? = nil,
        dated: DatedPrice? = nil, isClockSet: Bool = true,
        origin: LookupOrigin = .embedded, others: [Product] = [], isRapidLine: Bool = false
    ) throws -> String {
        let decoder = BarcodeDecoder(settings: BarcodeDecoder.Settings(region: .germany))
        let barcode = decoder.decode(text)
        let currency = try #require(Currency(currency))
        var product = Product(id: "P", name: "P", unit: unit)
        product.price = try price.map { try Price(amount: $0, currency: currency) }
        product.datedPrices = [dated].compactMap(\.self)
        let lookup = LookupResult(
            .found, match: Match(key: .gtin, product: product, others: others), origin: origin)
        let charge = Charge(barcode, lookup, isClockSet: isClockSet, isRapidLine: isRapidLine)
        switch try #require(charge) {
        case .amount(let amount, let currency, let quantity, let unit, let source):
            return "\(amount) \(currency) for \(quantity) \(unit) by \(source.rawValue)"
        case .undecided(let reason): return reason.rawValue
        }
    }

    @Test(arguments: [
        ("0.004", "fraction"), ("4.990", "4.99 EUR for 1 pcs by product"),
        ("0", "0.00 EUR for 1 pcs by product"),
        ("999999999999.99", "999999999999.99 EUR for 1 pcs by product"),
    ])
    func aPieceCostsItsPrice(price: String, charge: String) throws {
        #expect(try self.charge("4006381333931", price: price) == charge)
    }

    @Test func aPriceWithDatesNeedsAClockThatIsSet() throws {
        let price = try Price(amount: "3.00", currency: #require(Currency("EUR")))
        let ended = DatedPrice(price, from: nil, until: 1)
        let (code, charged) = ("4006381333931", "5.00 EUR for 1 pcs by product")
        #expect(try charge(code, dated: ended) == charged)
        #expect(try charge(code, dated: ended, isClockSet: false) == "old-price")
        #expect(try charge(code, price: nil, dated: ended, isClockSet: false) == "old-price")
        #expect(try charge(code, isClockSet: false) == charged)
    }

    /// The label says 1.250 kg.
    @Test(arguments: [
        ("1.99", "EUR", "2.49"), ("1.996", "EUR", "2.50"), ("0.004", "EUR", "0.01"),
        ("398", "JPY", "498"), ("0.5", "KWD", "0.625"),
        ("999999999999.999999", "EUR", "1250000000000.00"),
    ])
    func aWeightCostsItsPartRoundedToWhatCanBePaid(
        price: String, currency: String, amount: String
    ) throws {
        #expect(
            try charge("2840117012507", price: price, currency, unit: "kg")
                == "\(amount) \(currency) for 1.250 kg by label-measure")
    }

    @Test(arguments: [
        (nil, "measure"), ("pcs", "measure"), ("g", "measure"), ("lb", "measure"),
        ("KGM", "6.25 EUR for 1.250 KGM by label-measure"),
        ("Kilo.", "6.25 EUR for 1.250 Kilo. by label-measure"),
    ])
    func aWeightNeedsAPricePerKilogram(unit: String?, charge: String) throws {
        #expect(try self.charge("2840117012507", unit: unit) == charge)
    }

    @Test func whatMayBeAnotherProductIsForAPersonToDecide() throws {
        #expect(
            try charge("4006381333931", others: [Product(id: "Q", name: "Q")])
                == "several-products")
        #expect(try charge("4006381333931", isRapidLine: true) == "rapid-lines")
    }

    @Test(arguments: ["Stk", "Stk.", "STÜCK", "pcs", "H87", "шт", "個", "case"])
    func aPieceHasManyNames(unit: String) throws {
        #expect(try charge("4006381333931", unit: unit) == "5.00 EUR for 1 \(unit) by product")
    }

    @Test(arguments: [("kg", "measure"), ("m²", "measure"), ("Gebinde", "unknown-unit")])
    func whatIsSoldOtherwiseIsForAPersonToDecide(unit: String, reason: String) throws {
        #expect(try charge("4006381333931", unit: unit) == reason)
    }

    @Test func thePriceOfALabelCountsWhateverTheCatalogSays() throws {
        let label = "146.85 EUR for 1 pcs by label-price"
        let stale = LookupOrigin.stale(age: .seconds(60))
        #expect(try charge("2240126146857") == label)
        #expect(try charge("2240126146857", price: nil, unit: "kg") == label)
        #expect(try charge("2240126146857", origin: stale) == label)
        #expect(try charge("4006381333931", origin: stale) == "old-price")
        #expect(try charge("2840117012507", unit: "kg", origin: stale) == "old-price")
        #expect(try charge("4006381333931", price: nil) == "no-price")
    }

    @Test(arguments: [
        ("]d201095060001343523922000435", "4.35 EUR for 1 pcs by label-price"),
        ("]d20109506000134352393297800435", "4.35 EUR for 1 pcs by label-price"),
        ("]d20109506000134352393039200435", "435 JPY for 1 pcs by label-price"),
        ("]d20109506000134352393299900435", "unknown-currency"),
        ("]d2010950600013435230" + "12", "60.00 EUR for 12 pcs by label-count"),
        ("]d202095060001343523712", "logistic-unit"),
        ("]d2020950600013435237123456789", "invalid-code"),
        ("]d20199506000134355", "measure"),
    ])
    func elementStringsSayHowMuch(code: String, charge: String) throws {
        #expect(try self.charge(code) == charge)
    }

    /// Labels of 1.250 kg and 0.001 kg: an amount below half a cent is not rounded to zero, which would make it free.
    @Test(arguments: [
        ("2840117012507", "0.0039", "fraction"), ("2840114000019", "1.79", "fraction"),
        ("2840114000019", "5.00", "0.01 EUR for 0.001 kg by label-measure"),
        ("2840114000019", "0", "0.00 EUR for 0.001 kg by label-measure"),
    ])
    func aWeightThatHasAPriceIsNotFree(code: String, price: String, charge: String) throws {
        #expect(try self.charge(code, price: price, unit: "kg") == charge)
    }

    @Test func twoNumbersInASymbolAreTwoProducts() throws {
        #expect(try charge("]d20109506000101019" + "0109506000134352") == "ambiguous")
        #expect(try charge("]d20109506000134352" + "0109506000134352").hasPrefix("5.00 EUR"))
    }

    @Test(arguments: [
        ("case", "measure"), ("box", "measure"),
        ("bottle", "60.00 EUR for 12 bottle by label-count"),
    ])
    func aNumberOfPiecesIsNoneOfPackages(unit: String, charge: String) throws {
        #expect(try self.charge("]d201095060001343523012", unit: unit) == charge)
    }

    @Test(arguments: [
        "]d201095060001343523103000350" + "3203000772",
        "]d201095060001343523203000772" + "3103000350",
    ])
    func theMeasureIsThatOfTheUnitInAnyOrder(code: String) throws {
        #expect(try charge(code, unit: "kg") == "1.75 EUR for 0.350 kg by label-measure")
        #expect(try charge(code, unit: "lb") == "3.86 EUR for 0.772 lb by label-measure")
        #expect(try charge(code, unit: "oz") == "measure")
    }

    /// The label says 15.00 for a kilogram, the catalog 5.00.
    @Test(arguments: ["3953001500", "8005001500"])
    func aPriceOfAUnitOnTheLabelIsForAPersonToRead(element: String) throws {
        #expect(
            try charge("]d201095060001343523103000350\(element)", unit: "kg") == "unreadable-label")
        let whole = try charge(
            "]d2010950600013435231030003508005001500\u{1d}3922000525", unit: "kg")
        #expect(whole == "5.25 EUR for 1 pcs by label-price")
    }

    /// Cases: a lost separator, contradictions, wrong lengths and characters, labels without a value.
    @Test(arguments: [
        "]d201095060001343523922043517261231", "]d2010950600013435239224356310300035010AB",
        "]d2010950600013435231030003503102000351", "]d2010950600013435231030003503103000351",
        "]d2010950600013435230123456789",
        "]d20109506000134352301A", "]d201095060001343523932978004A5", "]d20109506000134352392204A5",
        "]d2010950600013435239220", "]d201095060001343523103000000", "]d2010950600013435230" + "0",
        "]d20109506000134352393297800", "2240120000001", "2840110000006", "2540120000002",
    ])
    func aDoubtfulLabelIsForAPersonToRead(code: String) throws {
        #expect(try self.charge(code, unit: "kg") == "unreadable-label")
    }
}
