import Catalog
import Testing

@Suite struct PriceTests {
    @Test(arguments: [
        ("3.49", "EUR", "3.49"), ("3", "EUR", "3.00"), ("3.5", "EUR", "3.50"),
        ("003.490", "EUR", "3.49"), ("0", "EUR", "0.00"), ("349", "JPY", "349"),
        ("349.00", "JPY", "349"), ("1.25", "KWD", "1.250"), ("0.0125", "USD", "0.0125"),
        ("1.999", "EUR", "1.999"), ("999999999999.999999", "EUR", "999999999999.999999"),
        (".5", "GBP", "0.50"),
    ])
    func amountsAreCanonicalDecimals(amount: String, code: String, canonical: String) throws {
        let currency = try #require(Currency(code))
        #expect(try Price(amount: amount, currency: currency).amount == canonical)
    }

    @Test func equalPricesAreEqualValues() throws {
        let euro = try #require(Currency("eur"))
        let price = try Price(amount: "3.5", currency: euro)
        #expect(price == (try Price(amount: "03.50", currency: euro)))
        #expect("\(price)" == "3.50 EUR")
    }

    @Test(arguments: [
        ("1,99", "1.99 EUR"), ("1.99", "1.99 EUR"), ("1.99 €", "1.99 EUR"), ("€1,99", "1.99 EUR"),
        ("USD 1.99", "1.99 USD"), ("1.99\u{A0}usd", "1.99 USD"), ("12,5 zł", "12.50 PLN"),
        ("1.250 KWD", "1.250 KWD"), ("0.999", "0.999 EUR"), ("0,999", "0.999 EUR"),
        ("1999", "1999.00 EUR"), ("1.9990", "1.999 EUR"), ("1234.567", "1234.567 EUR"),
        ("1,2500 TND", "1.250 TND"), ("¥349", nil), ("US$ 5", "5.00 USD"),
        ("1.299,00", "1299.00 EUR"), ("1,299.00", "1299.00 EUR"), ("1'299.00", "1299.00 EUR"),
        ("1\u{2019}299.50 CHF", "1299.50 CHF"), ("1 299,00", "1299.00 EUR"),
        ("1\u{A0}299,00\u{A0}€", "1299.00 EUR"), ("1\u{202F}299", "1299.00 EUR"),
        ("1.299.000", "1299000.00 EUR"), ("12,34,567.00", "1234567.00 EUR"),
        ("Rp15.000", "15000.00 IDR"), ("Rp. 15.000", "15000.00 IDR"), ("¥1,999 JPY", nil),
        ("Fr. 1.20", "1.20 CHF"), ("Fr.1.20", "1.20 CHF"), ("SFr. 1'299.–", "1299.00 CHF"),
        ("CHF 1.–", "1.00 CHF"), ("CHF 1.-", "1.00 CHF"), ("5,-- €", "5.00 EUR"),
        ("12.50 kr.", nil), ("₩1,999", "1999 KRW"), ("２,５０ €", "2.50 EUR"), ("$.50", nil),
        ("\u{202A}1.99\u{202C}", "1.99 EUR"), ("€ .50", "0.50 EUR"), ("€.50", "0.50 EUR"),
    ])
    func pricesAreReadAsPeopleWriteThem(text: String, price: String?) throws {
        let read = try? Price(reading: text, fallback: Currency("EUR"))
        #expect(read?.description == price)
    }

    @Test(arguments: [
        ("1.999", PriceError.ambiguous(text: "1.999")), ("1,999", .ambiguous(text: "1,999")),
        ("1,250 KWD", .ambiguous(text: "1,250 KWD")),
        ("349.000 JPY", .ambiguous(text: "349.000 JPY")), ("1e3", .notANumber(text: "1e3")),
        ("-1", .negative(text: "-1")), ("1,99-", .negative(text: "1,99-")),
        ("\u{2212}5", .negative(text: "\u{2212}5")), ("€-1", .negative(text: "€-1")),
        ("NaN", .notANumber(text: "NaN")), ("inf", .notANumber(text: "inf")),
        ("1.", .notANumber(text: "1.")), (".", .notANumber(text: ".")),
        ("12 34", .thousandsSeparator(text: "12 34")),
        ("349.000 USD", .ambiguous(text: "349.000 USD")), ("2.499 €", .ambiguous(text: "2.499 €")),
        ("€1€", .notANumber(text: "€1€")), ("0x10", .notANumber(text: "0x10")),
        ("١٫٥", .notANumber(text: "١٫٥")), ("", .notANumber(text: "")),
        ("1.23,50", .thousandsSeparator(text: "1.23,50")),
        ("1 234.567,00", .thousandsSeparator(text: "1 234.567,00")),
        ("1.2.3", .thousandsSeparator(text: "1.2.3")), ("1..2", .thousandsSeparator(text: "1..2")),
        ("1234567890123", .tooLong(text: "1234567890123")),
        ("1.1234567", .tooLong(text: "1.1234567")),
        ("5 XXQ", .unknownCurrency(text: "5 XXQ", found: "XXQ")),
        ("5 apples", .unknownCurrency(text: "5 apples", found: "apples")),
        ("$5", .ambiguousSign(text: "$5", sign: "$")),
        ("5 kr", .ambiguousSign(text: "5 kr", sign: "kr")),
    ])
    func whatCouldBeReadWronglyIsAnError(text: String, error: PriceError) {
        #expect(throws: error) { try Price(reading: text, fallback: Currency("EUR")) }
    }

    @Test func theCurrencyComesFromThePriceTheColumnOrTheDefault() throws {
        let euro = try #require(Currency("EUR"))
        let dollar = try #require(Currency("CAD"))
        #expect(try Price(reading: "5", column: dollar, fallback: euro).currency == dollar)
        #expect(try Price(reading: "$5", column: dollar, fallback: euro).currency == dollar)
        #expect(try Price(reading: "5 €", fallback: dollar).currency == euro)
        #expect(throws: PriceError.noCurrency(text: "5")) { try Price(reading: "5") }
        #expect(throws: PriceError.otherCurrency(text: "5 €", found: euro, column: dollar)) {
            try Price(reading: "5 €", column: dollar)
        }
    }

    @Test(arguments: ["1,99", "1.", "", "x", "1 ", "-0"])
    func theMachineFormIsStrict(amount: String) throws {
        let euro = try #require(Currency("EUR"))
        #expect(throws: PriceError.self) { try Price(amount: amount, currency: euro) }
    }

    @Test func errorsAreSentences() {
        #expect(
            "\(PriceError.negative(text: "-1"))"
                == "The price \"-1\" is negative; expected 0 or more.")
        #expect(
            "\(PriceError.notANumber(text: "a\u{1B}[31m\n\u{202E}"))"
                == "The price \"a\\x1b[31m\\n\\u202e\" is not a decimal number; "
                + "expected digits such as 3.49.")
    }

    @Test func onlyListedCurrenciesExist() throws {
        #expect(Currency("chf")?.code == "CHF")
        #expect(Currency("KWD")?.minorDigits == 3)
        #expect(["", "EU", "EURO", "XXQ", "ß€", "e\u{301}ur"].allSatisfy { Currency($0) == nil })
    }
}
