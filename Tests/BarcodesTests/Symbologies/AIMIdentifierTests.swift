import Barcodes
import Testing

struct AIMIdentifierTests {
    @Test(
        arguments: [
            ("]E0", Symbology.ean13), ("]E3", .ean13), ("]E4", .ean8), ("]E1", nil), ("]E2", nil),
            ("]E9", nil), ("]C0", .code128), ("]C1", .gs1128), ("]C2", .code128), ("]C4", .code128),
            ("]e0", .gs1DataBar), ("]e1", .gs1Composite), ("]e2", .gs1Composite),
            ("]e3", .gs1Composite), ("]d0", .dataMatrix), ("]d1", .dataMatrix),
            ("]d2", .gs1DataMatrix), ("]d3", .dataMatrix), ("]d4", .dataMatrix),
            ("]d5", .gs1DataMatrix), ("]d6", .dataMatrix), ("]Q0", .qrCode), ("]Q1", .qrCode),
            ("]Q2", .qrCode), ("]Q3", .gs1QRCode), ("]Q4", .gs1QRCode), ("]Q5", .qrCode),
            ("]Q6", .qrCode), ("]J0", .dotCode), ("]J1", .gs1DotCode), ("]z0", .aztec),
            ("]z1", .aztec), ("]h0", nil), ("]h2", nil), ("]I0", nil), ("]I1", nil), ("]I3", nil),
            ("]A0", .code39), ("]A7", .code39), ("]F0", .codabar), ("]G0", .code93), ("]H0", nil),
            ("]L0", .pdf417), ("]L2", .pdf417), ("]M0", .msi), ("]S0", nil), ("]B0", nil),
            ("]X0", nil),
        ] as [(String, Symbology?)])
    func namesTheSymbology(text: String, symbology: Symbology?) throws {
        let aim = try #require(AIMIdentifier(text))
        #expect(aim.symbology == symbology)
        #expect(aim.description == text)
        #expect(BarcodeDecoder().decode("A-1", aim: text).symbology == symbology)
    }

    @Test func keepsLetterAndModifier() {
        #expect(AIMIdentifier("]Kz")?.codeLetter == "K")
        #expect(AIMIdentifier("]Kz")?.modifier == "z")
    }

    @Test(arguments: ["", "]", "]E", "E0]", "]00", "]E-", "]é0", "]E0 ", "]E00", "［E0", "]Eé"])
    func othersAreNone(text: String) {
        #expect(AIMIdentifier(text) == nil)
        let problems = BarcodeDecoder().decode("A", aim: text).problems
        #expect(
            problems == [
                Problem(
                    code: .invalidAIMIdentifier, severity: .warning,
                    message: "\"\(text)\" is not an AIM identifier: "
                        + "expected ], a letter and a digit or letter.")
            ])
    }

    @Test(
        arguments: [
            ("]E05449000000996", "]E0", "5449000000996"), ("5449000000996", nil, "5449000000996"),
            ("]E", nil, "]E"), ("]d2", "]d2", ""), ("]é0x", nil, "]é0x"), ("", nil, ""),
        ] as [(String, String?, String)])
    func isSplitOffTheFront(scan: String, aim: String?, text: String) {
        let split = AIMIdentifier.split(scan)
        #expect(split.aim?.description == aim)
        #expect(split.text == text)
        #expect(BarcodeDecoder().decode(scan) == BarcodeDecoder().decode(text, aim: aim))
    }
}
