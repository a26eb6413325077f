import Barcodes
import Testing

struct AddOnTests {
    @Test(
        arguments: [
            ("5449000000996]E112", "]E0", "05449000000996", "12"),
            ("9780306406157]E251299", "]E0", "09780306406157", "51299"),
            ("012345678905]E105", "]E0", "00012345678905", "05"),
            ("0012345678905]E105", "]E0", "00012345678905", "05"),
            ("04252614]E105", "]E0", "00042100005264", "05"),
            ("977123456700305", "]E3", "09771234567003", "05"),
            ("978030640615751299", "]E3", "09780306406157", "51299"),
            ("01234567890505", "]E3", "00012345678905", "05"),
            ("01234567890551299", "]E3", "00012345678905", "51299"),
            ("977123456700305", nil, "09771234567003", "05"),
            ("979109063607151299", nil, "09791090636071", "51299"),
            ("978030640615751299", nil, "09780306406157", "51299"),
            ("9771234567003 05", nil, "09771234567003", "05"),
            ("012345678905 51299", nil, "00012345678905", "51299"),
            ("9771234567003 05", "]C0", "09771234567003", "05"),
        ] as [(String, String?, String, String)])
    func anAddOnIsToldFromTheNumber(text: String, aim: String?, gtin: String, addOn: String) {
        let barcode = BarcodeDecoder().decode(text, aim: aim)
        #expect(barcode.gtin?.text == gtin)
        #expect(barcode.addOn == addOn)
        #expect(barcode.text == text)
        #expect(barcode.inferred == (aim == nil))
        #expect(barcode.problems.isEmpty)
    }

    @Test(arguments: [
        ("544900000099612", "05449000000996", "12"),
        ("544900000099651299", "05449000000996", "51299"),
        ("01234567890551299", "00012345678905", "51299"),
        ("12345678901234567", "00123456789012", "34567"),
    ])
    func aProductThatIsNoPeriodicalMayHaveOne(text: String, gtin: String, addOn: String) {
        let barcode = BarcodeDecoder().decode(text, aim: nil)
        #expect(barcode.gtin?.text == gtin)
        #expect(barcode.addOn == addOn)
        #expect(barcode.problems.map(\.code) == [.ambiguous])
        #expect(barcode.alternatives.map(\.number) == [text])
    }

    @Test func fourteenDigitsCanBeABoxOrAPeriodical() {
        let barcode = BarcodeDecoder().decode("07148602876517", aim: nil)
        #expect(barcode.symbology == .upcA)
        #expect(barcode.gtin?.text == "00071486028765")
        #expect(barcode.addOn == "17")
        #expect(barcode.problems.map(\.code) == [.ambiguous])
        #expect(barcode.alternatives.map(\.symbology) == [.itf14])
        #expect(barcode.alternatives.map(\.gtin?.text) == ["07148602876517"])
    }

    @Test(arguments: ["1920079015009", "1910079015002"])
    func theSecondRowOfAJapaneseBookIsNoProduct(text: String) throws {
        let digits = text.dropLast()
        let row = digits + String(try #require(CheckDigit.gs1(for: digits)))
        for aim in [nil, "]E0"] {
            let barcode = BarcodeDecoder().decode(String(row), aim: aim)
            #expect(barcode.kind == .bookDetails)
            #expect(barcode.gtin == nil)
            #expect(barcode.checkDigit == .valid)
            #expect(barcode.problems.isEmpty)
        }
    }

    @Test(arguments: ["378", "379", "414", "419", "434", "439", "491"])
    func periodicalsOfManyCountriesHaveOne(prefix: String) throws {
        let body = prefix + "123456789"
        let main = body + String(try #require(CheckDigit.gs1(for: body)))
        for addOn in ["05", "00123"] {
            let barcode = BarcodeDecoder().decode(main + addOn, aim: nil)
            #expect(barcode.gtin?.gtin13 == main)
            #expect(barcode.addOn == addOn)
            #expect(barcode.problems.isEmpty)
        }
    }

    @Test(arguments: [("12", "]E1"), ("00", "]E1"), ("51299", "]E2")])
    func anAddOnMayComeAlone(text: String, aim: String) {
        let barcode = BarcodeDecoder().decode(text, aim: aim)
        #expect(barcode.addOn == text)
        #expect(barcode.kind == .text)
        #expect(barcode.problems.isEmpty)
    }

    @Test(arguments: [
        ("123", "]E1", Problem.Code.wrongLength), ("1234", "]E2", .wrongLength),
        ("1A", "]E1", .wrongCharacter),
        ("5449000000996]E1", "]E0", .wrongCharacter),
        ("5449000000996]E1123", "]E0", .wrongCharacter),
        ("5449000000996]E21234", "]E0", .wrongCharacter),
        ("5449000000996]E312", "]E0", .wrongCharacter),
        ("5449000000996]C112", "]E0", .wrongCharacter),
        ("5449000000996]E1AB", "]E0", .wrongCharacter),
        ("5449000000997]E112", "]E0", .wrongCheckDigit), ("5449000000996", "]E3", .wrongLength),
        ("54490000009961X", "]E3", .wrongCharacter),
    ])
    func aBadAddOnIsTold(text: String, aim: String, code: Problem.Code) {
        #expect(BarcodeDecoder().decode(text, aim: aim).problems.map(\.code) == [code])
    }

    @Test(arguments: [
        "544900000099712", "977123456700405", "9771234567003 5", "9771234567003  05",
        "9771234567003 0A", "9771234567004 05", "977 05", "9771234567003 05 1", "A 05",
    ])
    func otherTextHasNone(text: String) {
        #expect(BarcodeDecoder().decode(text, aim: nil).addOn == nil)
    }
}
