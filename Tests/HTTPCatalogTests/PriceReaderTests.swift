import Catalog
import Testing
import WireText

@testable import HTTPCatalog

@Suite struct PriceReaderTests {
    @Test(arguments: [
        ("3.49", "3.49 EUR"), ("349e-2", "3.49 EUR"), ("0.1e1", "1.00 EUR"), ("3", "3.00 EUR"),
        ("1.999", "1.999 EUR"), ("1e3", "1000.00 EUR"), ("0", "0.00 EUR"), ("-0", "0.00 EUR"),
        ("-0.0e5", "0.00 EUR"), ("0.000001", "0.000001 EUR"), ("\"3.49\"", "3.49 EUR"),
        ("\"3.490000\"", "3.49 EUR"), ("\"3,49 €\"", "3.49 EUR"), ("\"1.999\"", "1.999 EUR"),
        ("999999999999", "999999999999.00 EUR"), ("16777217.01", "16777217.01 EUR"),
    ])
    func anAmountIsReadDigitForDigit(json: String, price: String) throws {
        let rule = PriceRule(amount: [place("/p")], currency: [.constant("EUR")])
        #expect(try read(rule, #"{"p":\#(json)}"#) == price)
    }

    @Test(
        arguments: [
            ("349", .minorUnits, "EUR", "3.49 EUR"), ("\"349\"", .minorUnits, "EUR", "3.49 EUR"),
            ("5", .minorUnits, "EUR", "0.05 EUR"), ("349", .minorUnits, "JPY", "349 JPY"),
            ("349", .minorUnits, "KWD", "0.349 KWD"), ("0", .minorUnits, "EUR", "0.00 EUR"),
            // A declared scale takes precedence over the currency's.
            ("3495", .scaled(decimals: 3), "EUR", "3.495 EUR"),
        ] as [(String, PriceRule.Notation, String, String)])
    func minorUnitsFollowTheCurrency(
        json: String, notation: PriceRule.Notation, currency: String, price: String
    ) throws {
        let rule = PriceRule(
            amount: [place("/p")], notation: notation, currency: [.constant(currency)])
        #expect(try read(rule, #"{"p":\#(json)}"#) == price)
    }

    @Test(arguments: [
        (
            #"{"p":"3.49 $","c":"EUR"}"#,
            "At \"/p\": The price \"3.49 $\" is in \"$\", which several currencies share; expected a "
                + "currency that says which."
        ),
        (
            #"{"p":"3.49 £","c":"EUR"}"#,
            "At \"/p\": The price \"3.49 £\" is in GBP, but the answer's currency is EUR."
        ),
        (#"{"p":"3.49"}"#, "The price \"3.49\" has no currency; expected one at \"/c\"."),
    ])
    func anAnswerHasNoColumns(json: String, sentence: String) throws {
        let rule = PriceRule(amount: [place("/p")], currency: [place("/c")])
        let error = #expect(throws: MappingError.self) { try read(rule, json) }
        #expect(error?.description == sentence)
    }

    @Test func theFirstAmountAndCurrencyThatAreThereCount() throws {
        let rule = PriceRule(
            amount: [place("/sale"), place("/regular")],
            currency: [place("/currency"), .constant("CHF")])
        #expect(try read(rule, #"{"sale":"","regular":"2.5"}"#) == "2.50 CHF")
        #expect(try read(rule, #"{"sale":2,"regular":3,"currency":"eur"}"#) == "2.00 EUR")
        #expect(try read(rule, #"{"sale":null,"currency":"EUR"}"#) == nil)
        #expect(try read(rule, #"{"sale":"  "}"#) == nil)
    }

    @Test(arguments: [
        (#"{"p":-1}"#, MappingError(.negative(text: "-1"), at: "/p")),
        (#"{"p":"call us"}"#, .init(.notANumber(text: "call us"), at: "/p")),
        (#"{"p":true}"#, .init("The answer has a truth value at \"/p\"; expected a price.")),
        (#"{"p":[1]}"#, .init("The answer has a list at \"/p\"; expected a price.")),
        (
            #"{"p":3.4899999999999998}"#,
            .init(.tooLong(text: "3.4899999999999998"), at: "/p")
        ),
        (#"{"p":1e400}"#, .init(.notANumber(text: "1e400"), at: "/p")),
        (
            #"{"p":1,"c":"Euro"}"#,
            .init("The currency \"Euro\" is unknown; expected an ISO 4217 code such as EUR.")
        ),
        (
            #"{"p":1,"c":null}"#,
            .init("The price \"1\" has no currency; expected one at \"/c\".")
        ),
    ])
    func anAmountThatCannotBeReadIsAnError(json: String, error: MappingError) throws {
        let known = place("/c")
        let rule = PriceRule(
            amount: [place("/p")],
            currency: json.contains("\"c\"") ? [known] : [.constant("EUR")])
        #expect(throws: error) { try read(rule, json) }
    }

    @Test func minorUnitsAreWholeNumbers() throws {
        let rule = PriceRule(
            amount: [place("/p")], notation: .minorUnits, currency: [.constant("EUR")])
        let error = MappingError(
            "The answer has \"3.49\" at \"/p\"; expected a whole number of minor units.")
        #expect(throws: error) {
            try read(rule, #"{"p":3.49}"#)
        }
    }

    private func place(_ text: String) -> Place { Place(text).unsafelyUnwrapped }

    private func read(_ rule: PriceRule, _ json: String) throws -> String? {
        let documents = Documents(answer: try JSONReader.read(json))
        return try PriceReader(rule: rule, documents: documents).price()?.description
    }
}
