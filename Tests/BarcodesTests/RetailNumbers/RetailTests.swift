import Barcodes
import Testing

struct RetailTests {
    private let decoder = BarcodeDecoder()

    @Test(arguments: [
        ("425261", "00042100005264"), ("04252614", "00042100005264"),
        ("4252614", "00042100005264"), ("0425262", "00042200005263"),
        ("0425264", "00042520000061"), ("1123457", "00112345000079"),
        ("11234562", "00112345000062"), ("345678", "00034567000081"),
        ("3456781", "00034567000081"), ("4567899", "00045678000099"),
    ])
    func anUnexpandedUPCEIsUnderstood(text: String, gtin: String) {
        let barcode = decoder.decode(text, aim: "]E0")
        #expect(barcode.gtin?.text == gtin)
        #expect(barcode.symbology == .upcE)
        #expect(barcode.problems.isEmpty)
    }

    @Test func sevenDigitsCanBeTwoUPCE() {
        let both = (0...9).map { "012345\($0)" }.first {
            decoder.decode($0, aim: "]E0").problems.map(\.code) == [.ambiguous]
        }
        #expect(both != nil)
        let barcode = decoder.decode(both ?? "", aim: "]E0")
        #expect(barcode.symbology == .upcE)
        #expect(barcode.alternatives.map(\.symbology) == [.upcE])
        #expect(barcode.alternatives.first?.gtin != barcode.gtin)
    }

    @Test func eightDigitsCanBeEAN8AndUPCE() throws {
        let text = try #require(
            (0...999_999).lazy.map { body in
                let six = String(repeating: "0", count: 6 - String(body).count) + String(body)
                return ("0" + six, six)
            }.compactMap { seven, _ -> String? in
                guard let check = CheckDigit.gs1(for: seven) else { return nil }
                let text = seven + String(check)
                return GTIN(upcE: text) == nil ? nil : text
            }.first)
        let ean8 = decoder.decode(text, aim: nil)
        #expect(ean8.symbology == .ean8)
        #expect(ean8.inferred)
        #expect(ean8.problems.map(\.code) == [.ambiguous])
        #expect(ean8.problems.map(\.severity) == [.warning])
        #expect(ean8.alternatives.map(\.symbology) == [.upcE])
        let upcE = BarcodeDecoder(settings: .init(ambiguousEightDigits: .upcE)).decode(
            text, aim: nil)
        #expect(upcE.symbology == .upcE)
        #expect(upcE.gtin == GTIN(upcE: text))
        #expect(upcE.problems.map(\.code) == [.ambiguous])
        #expect(decoder.decode(text, aim: "]E4").problems.isEmpty)
    }

    @Test(arguments: [
        ("96385074", Symbology.ean8, CheckDigitVerdict.valid), ("96385070", .upcE, .invalid),
    ])
    func eightDigitsWithTheIdentifierOfEAN13(
        text: String, symbology: Symbology, verdict: CheckDigitVerdict
    ) {
        let barcode = decoder.decode(text, aim: "]E0")
        #expect(barcode.symbology == symbology)
        #expect(barcode.checkDigit == verdict)
    }

    @Test(arguments: [
        ("544900000099", "]E4", Problem.Code.wrongLength, 0..<12), ("", "]E0", .wrongLength, 0..<0),
        ("54490000009961", "]E0", .wrongLength, 0..<14), ("12345", "]E0", .wrongLength, 0..<5),
        ("1234567", "]E4", .wrongLength, 0..<7), ("9876543", "]E0", .wrongLength, 0..<7),
        ("544900000099X", "]E0", .wrongCharacter, 12..<13),
        ("9638507A", "]E4", .wrongCharacter, 7..<8),
        ("5449000é00996", "]E0", .wrongCharacter, 7..<8), ("", "]E4", .wrongLength, 0..<0),
        ("1234567890123456789", "]E0", .wrongLength, 0..<19),
    ])
    func whatDoesNotFitTheIdentifierIsTold(
        text: String, aim: String, code: Problem.Code, span: Range<Int>
    ) {
        let barcode = decoder.decode(text, aim: aim)
        #expect(barcode.kind == .text)
        #expect(barcode.gtin == nil)
        #expect(barcode.problems.map(\.code) == [code])
        #expect(barcode.problems.first?.span == span)
    }

    @Test func theWrongCharacterIsASentence() {
        #expect(
            decoder.decode("544900000099X", aim: "]E0").problems.map(\.message) == [
                "\"544900000099X\" has a wrong character: expected only digits, "
                    + "got another character at offset 12."
            ])
        #expect(
            decoder.decode("123", aim: "]E4").problems.map(\.message) == [
                "\"123\" has a wrong length: expected 8 digits, got 3."
            ])
    }

    @Test(arguments: [
        ("5449000000997", "]E0", Symbology.ean13), ("0012345678900", "]E0", .upcA),
        ("012345678900", "]E0", .upcA), ("96385070", "]E4", .ean8),
        ("15400141288760", "]I1", .itf14),
    ])
    func aWrongCheckDigitKeepsTheSymbology(text: String, aim: String, symbology: Symbology) {
        let barcode = decoder.decode(text, aim: aim)
        #expect(barcode.kind == .gtin)
        #expect(barcode.symbology == symbology)
        #expect(barcode.checkDigit == .invalid)
        #expect(barcode.gtin == nil)
        #expect(barcode.problems.map(\.code) == [.wrongCheckDigit])
    }

    @Test(
        arguments: [
            ("1540014128876", "]I3", "15400141288763"), ("15400141288763", "]I1", "15400141288763"),
            ("123456", "]I1", nil), ("12345", "]I3", nil), ("ABC", "]I1", nil), ("ABC", "]I3", nil),
        ] as [(String, String, String?)])
    func interleavedIsAnITF14OrAnything(text: String, aim: String, gtin: String?) {
        let barcode = decoder.decode(text, aim: aim)
        #expect(barcode.gtin?.text == gtin)
        #expect(barcode.symbology == (gtin == nil ? nil : .itf14))
        #expect(barcode.problems.isEmpty)
    }

    @Test(arguments: [
        ("980000000001", Barcode.Kind.coupon), ("981000000001", .coupon),
        ("982000000001", .coupon), ("983000000001", .coupon), ("990000000001", .coupon),
        ("999000000001", .coupon), ("977123456700", .issn), ("978030640615", .isbn),
        ("979109063607", .isbn), ("979006011561", .gtin), ("201234567890", .inStore),
        ("041234567890", .inStore), ("021234567890", .inStore), ("299999999999", .inStore),
        ("400638133393", .gtin), ("731086500470", .gtin), ("300000000000", .gtin),
        ("976000000000", .gtin),
    ])
    func prefixesTellWhatANumberIsFor(body: String, kind: Barcode.Kind) throws {
        let check = try #require(CheckDigit.gs1(for: body))
        let barcode = decoder.decode(body + String(check), aim: "]E0")
        #expect(barcode.kind == kind)
        #expect(barcode.problems.isEmpty)
        #expect(barcode.gtin != nil)
    }

    @Test(arguments: [
        ("9520000000004", Problem.Code.demonstrationNumber), ("0500000000012", .reservedPrefix),
        ("9840000000016", .reservedPrefix), ("9890000000011", .reservedPrefix),
        ("9510000000005", .reservedPrefix),
    ])
    func someNumbersAreNoProducts(text: String, code: Problem.Code) throws {
        let check = try #require(CheckDigit.gs1(for: text.dropLast()))
        let barcode = decoder.decode(text.dropLast() + String(check), aim: nil)
        #expect(barcode.kind == .gtin)
        #expect(barcode.problems.map(\.code) == [code])
        #expect(barcode.problems.map(\.severity) == [.warning])
        #expect(barcode.gtin != nil)
    }

    @Test func theReservedPrefixIsNamed() {
        #expect(
            decoder.decode("9840000000010", aim: nil).problems.first?.message
                == "\"09840000000010\" is not a product's number: expected a prefix that GS1 assigns, "
                + "got the reserved 984.")
        #expect(
            decoder.decode("9520000000004", aim: nil).problems.first?.message
                == "\"09520000000004\" is a number for demonstrations: expected a product's, "
                + "got GS1's prefix 952.")
    }

    @Test func inTheUnitedStatesFiveIsACoupon() throws {
        let check = try #require(CheckDigit.gs1(for: "051234567890"))
        let american = BarcodeDecoder(settings: .init(region: .unitedStates))
        #expect(american.decode("051234567890\(check)", aim: nil).kind == .coupon)
    }

    @Test(
        arguments: [
            ("12345678901334567", nil), ("123", nil), ("1234567890", nil), ("", nil), ("A", "]C0"),
            ("12345678", "]C0"), ("96385074", "]C0"), ("5449000000997", "]Q1"),
            ("123456789012345", nil),
            ("340123450000000000", nil),
        ] as [(String, String?)])
    func otherTextIsText(text: String, aim: String?) {
        let barcode = decoder.decode(text, aim: aim)
        #expect(barcode.kind == .text)
        #expect(barcode.problems.isEmpty)
        #expect(!barcode.inferred)
    }

    @Test(arguments: [
        "012345678905", "5449000000996", "15400141288763",
    ])
    func aSymbologyForAnythingMayHoldAGTIN(text: String) {
        for aim in ["]C0", "]A0", "]Q1", "]d1", "]L0", "]X0"] {
            let barcode = decoder.decode(text, aim: aim)
            #expect(barcode.kind == .gtin)
            #expect(barcode.symbology == AIMIdentifier(aim)?.symbology)
            #expect(!barcode.inferred)
        }
    }
}
