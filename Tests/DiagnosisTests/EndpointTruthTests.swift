import Catalog
import KeywedgeConfiguration
import KeywedgeTestKit
import Testing
import WireText

@testable import Diagnosis

/// Answers that look right but are wrong: the check reports them, and proposes no setting that would only hide them.
@Suite struct EndpointTruthTests {
    private static let pen = TriedShop.pen
    private static let ink = "4006381333948"
    private static let two = EndpointCodes(known: [.init(pen), .init(ink)])

    private static func item(_ id: String, _ code: String, _ more: String = "") -> String {
        #"{"id":"\#(id)","name":"\#(id)","ean":"\#(code)"\#(more)}"#
    }

    private func failed(_ report: Report) -> [Finding] {
        report.findings.filter { $0.verdict == .fails }
    }

    // MARK: The code is ignored

    /// Cases: the first page has both known codes or one, and the declaration handles other products in different ways.
    @Test(
        arguments: [
            "verify: [/ean]", "verify: {codes: [/ean], otherwise: not-found}", "unit: pcs",
        ],
        [
            (2, EndpointCodes(known: [.init(pen), .init(ink)])), (1, two),
            (1, .init(known: [.init(pen)])),
        ]
    )
    func aListThatIgnoresTheCode(verify: String, page: (listed: Int, codes: EndpointCodes))
        async throws
    {
        let items = [Self.item("P", Self.pen), Self.item("I", Self.ink)].prefix(page.listed)
        try await StubServer.answering { request in
            // The answer repeats the request, so it is a different text each time.
            let next = #""next":"\#(request.path)?page=2""#
            return .json(#"{\#(next),"items":[\#(items.joined(separator: ","))]}"#)
        } _: { server in
            let yaml = TriedShop.declaration(server).replacing(
                "verify: [/ean]", with: "items: /items, \(verify)")
            let report = await TriedShop.report(
                try TriedShop.configuration(yaml), codes: page.codes)
            let finding = try #require(failed(report).last)
            #expect(finding.subject == .unknownCode)
            let codes = page.codes.known.map(\.code.quotedForTest).joined(separator: ", ")
            #expect(
                finding.text
                    == "the answer does not depend on the code: \(codes) and \"9529999999993\" get "
                    + "the same products")
            #expect(report.findings.flatMap(\.remedies).map(\.setting) == [[]])
            #expect(finding.remedies.first?.standing == ["request:", "  path: \"/p/{code}\""])
        }
    }

    @Test func aProductThatIsTheSameForEveryCode() async throws {
        try await StubServer.answering { _ in
            .json(Self.item("P", Self.pen))
        } _: { server in
            let yaml = TriedShop.declaration(server)
            let report = await TriedShop.report(
                try TriedShop.configuration(yaml), codes: Self.two)
            #expect(failed(report).map(\.subject) == [.knownCode, .unknownCode])
            #expect(report.findings.flatMap(\.remedies).map(\.setting) == [[]])
        }
    }

    /// "No such product" in the same words for every code is not a product.
    @Test func theSameRefusalForEveryCodeIsNoProduct() async throws {
        try await StubServer.answering { _ in
            .json(#"{"message":"none"}"#)
        } _: { server in
            let report = await TriedShop.report(
                try TriedShop.configuration(TriedShop.declaration(server)), codes: Self.two)
            #expect(failed(report).map(\.subject) == [.knownCode, .knownCode])
        }
    }

    // MARK: A setting that would hide a product

    /// The pen and the ink have their codes at different places: a setting that finds one hides the other.
    @Test func aSettingThatHidesAKnownProductIsNotProposed() async throws {
        try await StubServer.answering { request in
            switch request.path {
            case "/p/" + Self.pen: .json("[\(Self.item("P", Self.pen))]")
            case "/p/" + Self.ink: .json(#"[{"id":"I","name":"I","gtin":"\#(Self.ink)"}]"#)
            default: .json("[\(Self.item("B", "1"))]")
            }
        } _: { server in
            let yaml = TriedShop.declaration(server)
                .replacing("codes: [/ean], verify: [/ean]", with: #"items: """#)
            let one = await TriedShop.report(try TriedShop.configuration(yaml))
            #expect(failed(one).first?.remedies.first?.setting.isEmpty == false)
            let both = await TriedShop.report(try TriedShop.configuration(yaml), codes: Self.two)
            #expect(failed(both).map(\.subject) == [.unknownCode])
            #expect(failed(both).flatMap(\.remedies).map(\.setting) == [[]])
            try await TriedShop.mend(
                yaml.replacing(#"items: """#, with: #"items: "", codes: [/ean, /gtin]"#),
                failing: .unknownCode, codes: Self.two)
        }
    }

    @Test func withoutAKnownCodeNothingIsProposedThatCouldHideAll() async throws {
        try await StubServer.answering { _ in
            .json(Self.item("P", Self.pen))
        } _: { server in
            let report = await TriedShop.report(
                try TriedShop.configuration(TriedShop.declaration(server)), codes: EndpointCodes())
            #expect(failed(report).map(\.subject) == [.unknownCode])
            #expect(failed(report).flatMap(\.remedies).map(\.setting) == [[]])
        }
    }

    // MARK: Prices

    private static let priced: [(answer: String, price: String, advised: String)] = [
        (
            #""price":349"#, "amount: /price, currency: EUR",
            "amount: [\"/price\"]\n    minor_units: true\n    currency: [\"EUR\"]"
        ),
        (
            #""price":3.49"#, "amount: [/prize, /cost], currency: EUR",
            "amount: [\"/price\"]\n    currency: [\"EUR\"]"
        ),
        (
            #""old":"4.99","now":{"value":"3,49"}"#, "amount: /old, currency: EUR",
            "amount: [\"/now/value\"]\n    currency: [\"EUR\"]"
        ),
    ]

    @Test(arguments: priced)
    func aPriceThatIsNotTheOneNamed(answer: String, price: String, advised: String) async throws {
        try await StubServer.answering {
            TriedShop.answer($0, product: Self.item("P", Self.pen, "," + answer))
        } _: { server in
            let yaml = TriedShop.declaration(server).replacing(
                "verify: [/ean]", with: "verify: [/ean], price: {\(price)}")
            try await TriedShop.mend(
                yaml, failing: .knownCode, advised: "product:\n  price:\n    " + advised,
                codes: EndpointCodes(known: [.init(Self.pen, price: "3.49 EUR")]))
        }
    }

    /// A single code does not show which of several places has the price.
    @Test(arguments: [("3.49", true), ("2.99", false)])
    func otherPlacesOfThePriceAreTold(ofInk: String, isTold: Bool) async throws {
        try await StubServer.answering { request in
            let (id, code, list) =
                request.path.hasSuffix(Self.ink) ? ("I", Self.ink, ofInk) : ("P", Self.pen, "3.49")
            return .json(Self.item(id, code, #","sale":3.49,"list":\#(list)"#))
        } _: { server in
            let yaml = TriedShop.declaration(server).replacing(
                "verify: [/ean]", with: "verify: [/ean], price: {amount: /cost, currency: EUR}")
            let report = await TriedShop.report(
                try TriedShop.configuration(yaml),
                codes: EndpointCodes(
                    known: [.init(Self.pen, price: "3.49"), .init(Self.ink, price: "3.49")]))
            let remedy = try #require(failed(report).first?.remedies.first)
            #expect(remedy.setting.contains("    amount: [\"/sale\"]"))
            #expect(remedy.advice.contains("It is also at \"/list\"") == isTold)
        }
    }

    @Test func aPriceIsToldWithItsCurrencyAndComparedWithIt() async throws {
        try await StubServer.answering {
            TriedShop.answer($0, product: Self.item("P", Self.pen, #","price":"3.49","unit":"kg""#))
        } _: { server in
            let yaml = TriedShop.declaration(server).replacing(
                "verify: [/ean]",
                with: "verify: [/ean], unit: [/u, /unit], price: {amount: [/sale, /price], "
                    + "currency: EUR}")
            let right = await TriedShop.report(
                try TriedShop.configuration(yaml),
                codes: EndpointCodes(known: [.init(Self.pen, price: "3,49")]))
            #expect(right.holds)
            for line in [
                "currency  the declaration gave \"EUR\"",
                "price     /sale is missing; /price gave \"3.49 EUR\"",
                "unit      /u is missing; /unit gave \"kg\"",
            ] { #expect(right.lines.contains("            " + line), "\(right.lines)") }
            let wrong = await TriedShop.report(
                try TriedShop.configuration(yaml),
                codes: EndpointCodes(known: [.init(Self.pen, price: "3.49 USD")]))
            #expect(
                failed(wrong).map(\.text) == [
                    "\"4006381333931\", asked as \"4006381333931\", is \"P\" \"P\", but costs "
                        + "3.49 EUR, expected 3.49 USD"
                ])
        }
    }

    @Test func placesOfAPriceThatAreNotThereFail() async throws {
        try await StubServer.answering {
            TriedShop.answer($0)
        } _: { server in
            let yaml = TriedShop.declaration(server).replacing(
                "verify: [/ean]", with: "verify: [/ean], price: {amount: [/a, /b], currency: EUR}")
            let report = await TriedShop.report(try TriedShop.configuration(yaml))
            #expect(
                failed(report).map(\.text) == [
                    "\"4006381333931\", asked as \"4006381333931\", is \"P\" \"Pen\", but has no "
                        + "price at \"/a\" or \"/b\""
                ])
            let remedy = try #require(failed(report).first?.remedies.first)
            #expect(remedy.setting.isEmpty)
            #expect(remedy.advice.contains("--known CODE=PRICE"))
        }
    }

    @Test(arguments: [
        ("4006381333931", "4006381333931", nil), ("4006381333931=3.49", "4006381333931", "3.49"),
        ("A=B=3,49 EUR", "A=B", "3,49 EUR"), ("A=B", "A=B", nil), ("=3", "=3", nil),
        ("A=-3", "A=-3", nil),
        (
            "https://id.gs1.org/01/09506000134352?17=261231",
            "https://id.gs1.org/01/09506000134352?17=261231", nil
        ),
    ])
    func aCodeMayComeWithItsPrice(text: String, code: String, price: String?) {
        #expect(EndpointCodes.Known(reading: text) == EndpointCodes.Known(code, price: price))
    }
}

extension String {
    fileprivate var quotedForTest: String { "\"\(self)\"" }
}
