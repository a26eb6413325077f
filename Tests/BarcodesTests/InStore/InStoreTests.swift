import Barcodes
import Testing

struct InStoreTests {
    private func read(_ text: String, _ region: Region?) -> InStoreCode? {
        BarcodeDecoder(settings: .init(region: region)).decode(text, aim: nil).inStore
    }

    @Test(arguments: [
        ("2088060112343", Region.sweden, "880601", "12.34", "SEK", "2088060100005"),
        ("2188060112340", .sweden, "880601", "123.4", "SEK", "2188060100002"),
        ("2288060112347", .sweden, "880601", "1234", "SEK", "2288060100009"),
        ("2088060112343", .norway, "880601", "12.34", "NOK", "2088060100005"),
    ])
    func aPriceIsRead(
        text: String, region: Region, item: String, price: String, currency: String, lookup: String
    ) throws {
        let code = try #require(read(text, region))
        #expect(code.item == item)
        #expect(code.price?.description == price)
        #expect(code.currency == currency)
        #expect(code.listings.first == lookup)
        #expect(code.scope == .region)
        #expect(code.weight == nil && code.count == nil && code.valueCheckDigit == nil)
    }

    @Test(arguments: [
        ("23", Region.sweden, "1.234"), ("24", .sweden, "12.34"), ("25", .sweden, "123.4"),
        ("23", .norway, "1.234"), ("24", .finland, "12.34"), ("25", .estonia, "123.4"),
        ("23", .latvia, "1.234"), ("24", .lithuania, "12.34"),
    ])
    func aWeightIsRead(prefix: String, region: Region, weight: String) throws {
        let body = prefix + "1234561234"
        let check = try #require(CheckDigit.gs1(for: body))
        let code = try #require(read(body + String(check), region))
        #expect(code.item == "123456")
        #expect(code.weight?.description == weight)
        #expect(code.price == nil && code.currency == nil)
        #expect(code.listings.first?.hasPrefix(prefix + "1234560000") == true)
    }

    @Test(arguments: [
        ("211234012345", Region.denmark, "1234", "price 123.45"),
        ("221234012345", .denmark, "1234", "price 123.45"),
        ("231234012345", .denmark, "1234", "price 123.45"),
        ("241234012345", .denmark, "1234", "price 123.45"),
        ("261234012345", .denmark, "1234", "weight 12.345"),
        ("271234512345", .denmark, "12345", "weight 12.345"),
        ("281234012345", .denmark, "1234", "weight 12.345"),
        ("221234614685", .germany, "1234", "price 146.85 valid"),
        ("231234614685", .germany, "1234", "price 146.85 valid"),
        ("221234014685", .germany, "1234", "invalid"),
        ("251234614685", .germany, "1234", "count 14685 valid"),
        ("261234614685", .germany, "1234", "count 14685 valid"),
        ("281234614685", .germany, "1234", "weight 14.685 valid"),
        ("291234614685", .germany, "1234", "weight 14.685 valid"),
        ("201234592875", .unitedKingdom, "12345", "price 28.75 valid"),
    ])
    func eachRegionHasItsLayouts(
        body: String, region: Region, item: String, meaning: String
    ) throws {
        let check = try #require(CheckDigit.gs1(for: body))
        let barcode = BarcodeDecoder(settings: .init(region: region)).decode(
            body + String(check), aim: nil)
        let code = try #require(barcode.inStore)
        var parts: [String] = []
        if let price = code.price { parts.append("price \(price)") }
        if let weight = code.weight { parts.append("weight \(weight)") }
        if let count = code.count { parts.append("count \(count)") }
        if let verdict = code.valueCheckDigit { parts.append(verdict.rawValue) }
        #expect(parts.joined(separator: " ") == meaning)
        #expect(code.item == item)
        #expect(barcode.kind == .inStore)
        #expect(
            barcode.problems.map(\.code)
                == (code.valueCheckDigit == .invalid ? [.wrongPriceCheckDigit] : []))
    }

    /// A price has four digits and a check digit, or five digits and no check digit.
    @Test(
        arguments: [
            ("212345109168", "9.16", [Problem.Code.ambiguous]),
            ("212345828755", nil, [.wrongPriceCheckDigit, .ambiguous]),
        ] as [(String, String?, [Problem.Code])])
    func theUnitedStatesHaveTwoLayouts(text: String, price: String?, codes: [Problem.Code]) throws {
        for aim in [nil, "]E0"] {
            let barcode = BarcodeDecoder(settings: .init(region: .unitedStates)).decode(
                text, aim: aim)
            #expect(barcode.inStore?.price?.description == price)
            #expect(barcode.problems.map(\.code) == codes)
            #expect(
                barcode.problems.map(\.severity)
                    == codes.map { $0 == .ambiguous ? .warning : .error })
            let digits = text.dropFirst(6).dropLast()
            #expect(
                barcode.alternatives.map(\.inStore?.price?.description)
                    == ["\(Int(digits.dropLast(2)) ?? 0).\(digits.suffix(2))"])
        }
        let declared = BarcodeDecoder(
            settings: .init(
                region: .unitedStates, inStorePatterns: [try InStorePattern("02IIIIIPPP.PPK")]))
        #expect(declared.decode(text, aim: nil).alternatives.isEmpty)
    }

    @Test func theBadPriceCheckDigitIsMarked() throws {
        let body = "221234014685"
        let check = try #require(CheckDigit.gs1(for: body))
        let wrong = BarcodeDecoder(settings: .init(region: .germany)).decode(
            body + String(check), aim: nil)
        #expect(wrong.problems.first?.span == 6..<7)
        #expect(
            wrong.problems.first?.message
                == "\"\(body)\(check)\" has a wrong check digit of price or weight: "
                + "expected 6, got 0.")
    }

    @Test(
        arguments: [
            ("2088060112343", nil, InStoreCode.Scope.region), ("0400000000019", nil, .company),
            ("0212345678901", nil, .region),
            ("2088060112343", Region.unitedKingdom.rawValue, .region),
            ("2988060112346", "SE", .region), ("20000004", nil, .company),
            ("00000017", nil, .company),
        ] as [(String, String?, InStoreCode.Scope)])
    func withoutARuleTheNumberIsOpaque(
        text: String, region: String?, scope: InStoreCode.Scope
    ) throws {
        let digits = String(text.dropLast())
        let check = try #require(CheckDigit.gs1(for: digits))
        let settings = BarcodeDecoder.Settings(region: region.flatMap(Region.init(rawValue:)))
        let barcode = BarcodeDecoder(settings: settings).decode(
            digits + String(check), aim: text.count == 8 ? "]E4" : nil)
        #expect(barcode.kind == .inStore)
        #expect(barcode.inStore?.scope == scope)
        if region != "GB" {
            #expect(barcode.inStore?.item == nil)
            #expect(barcode.inStore?.listings == [])
        }
    }

    @Test func theCurrencyOfAPriceIsTheRegions() {
        #expect(
            Region.allCases.map(\.currency) == [
                "SEK", "NOK", nil, nil, nil, nil, "DKK", "EUR", "GBP", "USD",
            ])
    }

    @Test(arguments: [
        ("21IIIICPPPPPK", "211234614685", "1234 146.85 valid"),
        ("21IIIIICPPPPK", "211234592875", "12345 28.75 valid"),
        ("21IIIICPPP.PPK", "211234614685", "1234 146.85 valid"),
        ("21IIIICPPPPP.K", "211234614685", "1234 14685 valid"),
        ("21IIIIIWW.WWWK", "211234512345", "12345 12.345"),
        ("21IIIIIWWWWWK", "211234512345", "12345 12.345"),
        ("21IIIIINNNNNK", "211234500012", "12345 12"),
        ("4IIIIIPPPPPK", "41234500199", "12345 1.99"),
        ("2IIPPPPK", "2120199", "12 1.99"),
        ("21IIIIICPPPPPK", "2112345614685", "12345 146.85 valid"),
        ("99IIIIIIPPPPK", "991234560199", "123456 1.99"),
    ])
    func aShopHasItsOwnPatterns(pattern: String, body: String, meaning: String) throws {
        let check = try #require(CheckDigit.gs1(for: body))
        let settings = BarcodeDecoder.Settings(inStorePatterns: [try InStorePattern(pattern)])
        let aim = [8: "]E4", 12: "]E0", 13: "]E0", 14: "]I1"][body.count + 1]
        let code = try #require(
            BarcodeDecoder(settings: settings).decode(body + String(check), aim: aim).inStore)
        let parts = [
            code.item, code.price?.description, code.weight?.description,
            code.count.map(String.init), code.valueCheckDigit?.rawValue,
        ]
        #expect(parts.compactMap { $0 }.joined(separator: " ") == meaning)
    }

    private func shop(_ patterns: String...) throws -> BarcodeDecoder {
        BarcodeDecoder(
            settings: .init(inStorePatterns: try patterns.map { try InStorePattern($0) }))
    }

    private func meaning(of code: InStoreCode) -> String {
        let parts = [
            code.item, code.price.map { "price \($0)" }, code.weight.map { "weight \($0)" },
            code.count.map { "count \($0)" }, code.valueCheckDigit?.rawValue,
        ]
        return parts.compactMap { $0 }.joined(separator: " ")
    }

    /// Labels in Code 128, without a check digit.
    @Test(arguments: [
        ("21IIIIIWW.WWWPPPP.PP", "211234502500002491", "12345 price 24.91 weight 2.500"),
        ("IIIIIPPPPPPNNNXXXXXX", "12345000199012777777", "12345 price 1.99 count 12"),
        ("21IIIIIPPPPP", "211234500249", "12345 price 2.49"),
        ("2IIPPPPX", "21201991", "12 price 1.99"),
    ])
    func aLabelNeedsNoCheckDigit(pattern: String, text: String, expected: String) throws {
        for aim in [nil, "]C0", "]A0"] {
            let barcode = try shop(pattern).decode(text, aim: aim)
            #expect(barcode.inStore.map(meaning(of:)) == expected)
            #expect(barcode.problems.isEmpty && barcode.checkDigit == nil)
        }
        // With these identifiers, the item of a label without a check digit is not read.
        for aim in ["]E0", "]E4", "]I1", "]C1"] {
            #expect(try shop(pattern).decode(text, aim: aim).inStore?.item == nil)
        }
    }

    /// A digit, the length or a character does not match the pattern.
    @Test(arguments: ["221234500249", "2112345002492", "21123450024A", "２11234500249"])
    func aTextThatDoesNotMatchThePatternIsNoLabel(text: String) throws {
        for aim in [nil, "]C0", "]A0"] {
            #expect(try shop("21IIIIIPPPPP").decode(text, aim: aim).inStore == nil)
        }
    }

    @Test(
        arguments: [
            ("21IIIPPPPWW.WW", "2112301999999", "123 price 1.99 weight 99.99"),
            ("2IIWWWWPPPP", "21212340499", "12 price 4.99 weight 1.234"),
            ("2IWWWWCPPPP", "21312380499", "1 price 4.99 weight 3.123 valid"),
            ("2IWWWWCPPPP", "21312300499", "1 weight 3.123 invalid"),
            ("2XIIIIIPPPPP", "271234500249", "12345 price 2.49"),
            ("21IIIIIWWWWWPPPPP", "21123450250000249", "12345 price 2.49 weight 2.500"),
            ("21IIIIIIIWWWWWPPPPP", "2112345670250000249", "1234567 price 2.49 weight 2.500"),
        ] as [(String, String, String?)])
    func aPatternReadsTwoValuesAndAnyDigit(
        pattern: String, body: String, expected: String?
    ) throws {
        let text = body + (CheckDigit.gs1(for: body).map(String.init) ?? "")
        let decoder = try? shop(pattern + "K")
        let code = decoder?.decode(text, aim: nil).inStore
        #expect(code.map(meaning(of:)) == expected)
        let wrong = body + String((9 - (CheckDigit.gs1(for: body) ?? 0)) % 10)
        #expect(decoder?.decode(wrong, aim: nil).inStore?.item == nil)
    }

    @Test func aLabelOfTwentyDigitsIsChecked() throws {
        let decoder = try shop("21IIIIIIIWWWWWPPPPPK")
        for digit in 0...9 {
            let text = "2112345670250000249\(digit)"
            #expect((decoder.decode(text, aim: nil).inStore == nil) == (digit != 5))
        }
    }

    @Test func aLabelThatMayBeAProductsNumberIsAmbiguous() throws {
        let decoder = try shop("04IIIIIPPPPP", "61IIIIIPPPPP")
        let label = decoder.decode("614141000036", aim: nil)
        #expect(label.inStore?.item == "41410")
        #expect(label.alternatives.map(\.gtin?.text) == ["00614141000036"])
        #expect(label.problems.map(\.code) == [.ambiguous])
        #expect(decoder.decode("614141000036", aim: "]E0").inStore == nil)
    }

    @Test func aPatternThatDoesNotFitLeavesTheNumberAlone() throws {
        let settings = BarcodeDecoder.Settings(
            inStorePatterns: [try InStorePattern("21IIIIIPPPPPK")])
        let decoder = BarcodeDecoder(settings: settings)
        #expect(decoder.decode("5449000000996", aim: nil).kind == .gtin)
        #expect(decoder.decode("2088060112343", aim: nil).inStore?.item == nil)
        #expect(decoder.decode("15400141288763", aim: nil).kind == .gtin)
        let short = try InStorePattern("0IIIIIPPPPPK")
        let upc = BarcodeDecoder(settings: .init(inStorePatterns: [short]))
        #expect(upc.decode("5449000000996", aim: nil).inStore == nil)
    }

    @Test(arguments: [
        ("", InStorePatternError.wrongLength(pattern: "", found: 0)),
        ("21IIIIPPPPK", .wrongLength(pattern: "21IIIIPPPPK", found: 11)),
        ("21IIIIxPPPPPK", .wrongCharacter(pattern: "21IIIIxPPPPPK", at: 6)),
        ("21IIKIIPPPPPK", .misplacedCheckDigit(pattern: "21IIKIIPPPPPK")),
        ("21IIIIIIIIIIK", .wrongValues(pattern: "21IIIIIIIIIIK")),
        ("21PPIIIPPPPPK", .wrongValues(pattern: "21PPIIIPPPPPK")),
        ("21IIIWWNNPPPK", .wrongValues(pattern: "21IIIWWNNPPPK")),
        ("21IIPPPPPPPPPPIIII", .wrongValues(pattern: "21IIPPPPPPPPPPIIII")),
        ("21.IIIIIPPPPPK", .misplacedPoint(pattern: "21.IIIIIPPPPPK")),
        ("21IIIIIP.PP.PPK", .misplacedPoint(pattern: "21IIIIIP.PP.PPK")),
        ("21IIIIINNN.NNK", .misplacedPoint(pattern: "21IIIIINNN.NNK")),
        ("21IIICPPPPPPK", .noPriceCheckDigit(pattern: "21IIICPPPPPPK")),
        ("21IIICCPPPPPK", .noPriceCheckDigit(pattern: "21IIICCPPPPPK")),
        ("21CIIIIWWWWWPPPPPK", .noPriceCheckDigit(pattern: "21CIIIIWWWWWPPPPPK")),
        ("21IIIIICWWWPPPPPPK", .noPriceCheckDigit(pattern: "21IIIIICWWWPPPPPPK")),
    ])
    func aBadPatternNamesTheReason(pattern: String, error: InStorePatternError) {
        #expect(throws: error) { try InStorePattern(pattern) }
    }

    @Test(arguments: [
        (
            InStorePatternError.wrongCharacter(pattern: "x", at: 0),
            "\"x\" is not a pattern: expected a digit, I, P, W, N, C, X, K or a point at offset 0, got another character."
        ),
        (
            .wrongLength(pattern: "x", found: 1),
            "\"x\" is not a pattern: expected 8, 12, 13, 14, 18 or 20 digits, got 1."
        ),
        (
            .misplacedCheckDigit(pattern: "x"),
            "\"x\" is not a pattern: expected K at the end or not at all, got it elsewhere."
        ),
        (
            .wrongValues(pattern: "x"),
            "\"x\" is not a pattern: expected one or two of P, W and N, each one run of at most 9, got something else."
        ),
        (
            .misplacedPoint(pattern: "x"),
            "\"x\" is not a pattern: expected at most one point in each P and W, got another."
        ),
        (
            .noPriceCheckDigit(pattern: "x"),
            "\"x\" is not a pattern: expected at most one C, beside a value of 4 or 5 digits, got another."
        ),
    ])
    func aPatternsErrorIsOneSentence(error: InStorePatternError, sentence: String) {
        #expect(error.description == sentence)
    }
}
