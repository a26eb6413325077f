import Barcodes
import Testing

struct BarcodeDecoderTests {
    private let decoder = BarcodeDecoder()

    @Test(arguments: [
        ("5449000000996", "]E0", Symbology.ean13, "05449000000996"),
        ("0012345678905", "]E0", .upcA, "00012345678905"),
        ("0042100005264", "]E0", .upcE, "00042100005264"),
        ("012345678905", "]E0", .upcA, "00012345678905"),
        ("04252614", "]E0", .upcE, "00042100005264"),
        ("96385074", "]E4", .ean8, "00000096385074"),
        ("15400141288763", "]I1", .itf14, "15400141288763"),
        ("15400141288763", "]I0", .itf14, "15400141288763"),
        ("5449000000996", "]C0", .code128, "05449000000996"),
    ])
    func anAIMIdentifierNamesTheSymbology(
        text: String, aim: String, symbology: Symbology, gtin: String
    ) throws {
        var expected = Barcode(text: text, aim: AIMIdentifier(aim))
        expected.reading.symbology = symbology
        expected.reading.kind = .gtin
        expected.reading.gtin = try GTIN(gtin)
        expected.reading.checkDigit = .valid
        #expect(decoder.decode(text, aim: aim) == expected)
    }

    @Test(arguments: [
        ("5449000000996", Symbology.ean13, "05449000000996"),
        ("0012345678905", .upcA, "00012345678905"),
        ("012345678905", .upcA, "00012345678905"),
        ("15400141288763", .itf14, "15400141288763"),
        ("96385074", .ean8, "00000096385074"),
        ("04252614", .upcE, "00042100005264"),
    ])
    func withoutAnAIMIdentifierTheSymbologyIsInferred(
        text: String, symbology: Symbology, gtin: String
    ) throws {
        var expected = Barcode(text: text)
        expected.reading.symbology = symbology
        expected.reading.kind = .gtin
        expected.reading.gtin = try GTIN(gtin)
        expected.reading.checkDigit = .valid
        #expect(decoder.decode(text, aim: nil) == expected)
    }

    @Test(
        arguments: [
            ("5449000000997", nil, "6, got 7"), ("012345678900", nil, "5, got 0"),
            ("96385070", nil, "4, got 0"), ("15400141288760", nil, "3, got 0"),
        ] as [(String, String?, String)])
    func aWrongCheckDigitIsAResult(text: String, aim: String?, digits: String) {
        var expected = Barcode(text: text)
        expected.reading.checkDigit = .invalid
        expected.reading.problems = [
            Problem(
                code: .wrongCheckDigit, severity: .error,
                message: "\"\(text)\" has a wrong check digit: expected \(digits).",
                span: text.count - 1..<text.count)
        ]
        #expect(decoder.decode(text, aim: aim) == expected)
    }
}
