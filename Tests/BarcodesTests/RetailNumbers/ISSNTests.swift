import Barcodes
import Testing

struct ISSNTests {
    @Test(arguments: [
        ("0317-8471", "0317-8471", "09770317847001"), ("03178471", "0317-8471", "09770317847001"),
        ("2434-561X", "2434-561X", "09772434561006"), ("2434561x", "2434-561X", "09772434561006"),
        ("0378-5955", "0378-5955", "09770378595001"), ("1050-124X", "1050-124X", "09771050124000"),
    ])
    func hasAHyphenAndAGTIN(text: String, issn: String, gtin: String) throws {
        let serial = try ISSN(text)
        #expect(serial.description == issn)
        #expect(serial.gtin().text.dropLast() == gtin.dropLast())
        #expect(ISSN(gtin: serial.gtin()) == serial)
    }

    @Test(arguments: [
        ("", ISBNError.wrongLength(text: "", found: 0)),
        ("0317-847", .wrongLength(text: "0317-847", found: 7)),
        ("0317-8472", .wrongCheckDigit(text: "0317-8472", expected: "1", found: "2")),
        ("2434-5610", .wrongCheckDigit(text: "2434-5610", expected: "X", found: "0")),
        ("2434-561Y", .wrongCharacter(text: "2434-561Y")),
        ("24X4-5610", .wrongCharacter(text: "24X4-5610")),
    ])
    func aTextThatIsNoneNamesTheReason(text: String, error: ISBNError) {
        #expect(throws: error) { try ISSN(text) }
    }

    @Test(arguments: ["0317-8471", "2434-561X"])
    func isFoundInAText(text: String) throws {
        let barcode = BarcodeDecoder().decode(text, aim: nil)
        #expect(barcode.kind == .issn)
        #expect(barcode.issn == (try ISSN(text)))
        #expect(barcode.issnVariant == "00")
        #expect(barcode.isbn == nil)
        #expect(barcode.problems.map(\.code) == [.ambiguous])
        #expect(barcode.alternatives.map(\.number) == [text])
        #expect(barcode.checkDigit == .valid)
    }

    @Test(arguments: ["0317-8472", "03178471", "2434561X", "2434561Y"])
    func otherTextIsNoSerial(text: String) {
        #expect(BarcodeDecoder().decode(text, aim: nil).kind != .issn)
    }

    @Test func theVariantIsKept() throws {
        let issn = try ISSN("0317-8471")
        let gtin = issn.gtin(variant: 7)
        #expect(ISSN.variant(of: gtin) == "07")
        #expect(ISSN(gtin: gtin) == issn)
        #expect(issn.gtin(variant: -1) == issn.gtin(variant: 99))
        #expect(ISSN.variant(of: try GTIN("5449000000996")) == nil)
        #expect(ISSN(gtin: try GTIN("5449000000996")) == nil)
        let barcode = BarcodeDecoder().decode(gtin.gtin13 ?? "", aim: "]E0")
        #expect(barcode.issnVariant == "07")
    }
}
