import Barcodes
import Testing

/// GS1 element strings from scanners that send no AIM identifier.
struct ContentSettingTests {
    private let decoder = BarcodeDecoder(settings: .init(content: .gs1))

    @Test(arguments: [
        ("010703206980498810LOT-7", "(01)07032069804988(10)LOT-7"),
        ("01070320698049881726123110LOT7", "(01)07032069804988(17)261231(10)LOT7"),
        ("0107032069804988", "(01)07032069804988"),
        ("00340123450000000000", "(00)340123450000000000"),
        ("020703206980498837100", "(02)07032069804988(37)100"),
        ("17261231010703206980498810A", "(17)261231(01)07032069804988(10)A"),
        ("1726123110LOT7", "(17)261231(10)LOT7"),
        ("4109506000134352254A1", "(410)9506000134352(254)A1"),
        ("8006070320698049880102", "(8006)070320698049880102"),
    ])
    func elementStringsAreRead(text: String, bracketed: String) {
        let barcode = decoder.decode(text, aim: nil)
        #expect(barcode.kind == .gs1)
        #expect(barcode.gs1?.bracketed == bracketed)
        #expect(barcode.problems.allSatisfy { $0.severity == .warning })
        #expect(!barcode.inferred)
        #expect(barcode == decoder.decode(text))
    }

    @Test(arguments: [
        "0107032069804988", "010703206980498810LOT-7\u{1D}21A", "\u{1D}010703206980498810LOT-7",
        "010703206980498810LOT-7\u{1D}",
    ])
    func separatorsMakeNoSecondReading(text: String) {
        let barcode = decoder.decode(text, aim: nil)
        #expect(barcode.gtin?.text == "07032069804988")
        #expect(barcode.problems.isEmpty && barcode.alternatives.isEmpty)
    }

    @Test func theyAreReadAsWithAnIdentifier() {
        for text in ["010703206980498817261331", "01070320698049880", "010703206980498810LOT~7"] {
            let barcode = decoder.decode(text, aim: nil)
            var announced = decoder.decode(text, aim: "]C1")
            announced.aim = nil
            announced.reading.symbology = nil
            #expect(barcode == announced)
            #expect(barcode.gtin?.text == "07032069804988")
            #expect(barcode.problems.contains { $0.severity == .error })
        }
    }

    @Test(arguments: [
        ("4006381333931", Barcode.Kind.gtin, Symbology.ean13), ("036000291452", .gtin, .upcA),
        ("9139099603081", .gtin, .ean13), ("96385074", .gtin, .ean8), ("04252614", .gtin, .upcE),
        ("15400141288763", .gtin, .itf14), ("9783161484100", .isbn, .ean13),
        ("977123456700305", .issn, .ean13),
        // As element strings, (01) and its GTIN would have 16 digits.
        ("01234567890128", .gtin, .itf14),
    ])
    func aNumberOfRetailStaysOne(text: String, kind: Barcode.Kind, symbology: Symbology) {
        let barcode = decoder.decode(text, aim: nil)
        #expect(barcode.kind == kind)
        #expect(barcode.symbology == symbology)
        #expect(barcode == BarcodeDecoder().decode(text, aim: nil))
    }

    /// (17)261231(10)1236, whose last digit is by chance also the check digit of a number of 14 digits.
    @Test func aNumberThatIsElementStringsAsWellIsAmbiguous() {
        let barcode = decoder.decode("17261231101236", aim: nil)
        #expect(barcode.symbology == .itf14)
        #expect(barcode.problems.map(\.code) == [.ambiguous])
        #expect(barcode.alternatives.map(\.gs1?.bracketed) == ["(17)261231(10)1236"])
    }

    @Test func digitsWithAWrongCheckDigitAreReadIfTheyAreElementStrings() {
        let barcode = decoder.decode("17261231101234", aim: nil)
        #expect(barcode.gs1?.bracketed == "(17)261231(10)1234")
        #expect(barcode.checkDigit == nil)
        #expect(barcode.problems.map(\.code) == [.requisiteMissing, .requisiteMissing])
        let wrong = decoder.decode("4006381333932", aim: nil)
        #expect(wrong.kind == .text)
        #expect(wrong.problems.map(\.code) == [.wrongCheckDigit])
    }

    @Test(arguments: [
        "10004712", "21004713", "BAG-PAPER-S", "4011", "90ABC", "9139099603082", "17261230",
        "0107032069804989", "0107032069804989" + "10A", "00000000000000000000",
        "0100000000000000" + "10A", "05123", "17261331" + "10A", "", "01", "0", "é1", "[)>06",
        "172612311",
        // A time that can also be read as (20)23, (01) with a right check digit, and (10).
        "20230107032069804988" + "10A",
    ])
    func whatCouldBeAnyNumberIsNoElementString(text: String) {
        #expect(decoder.decode(text, aim: nil).kind == .text)
        #expect(decoder.decode(text, aim: nil).gs1 == nil)
    }

    @Test func anIdentifierGoesAheadOfTheSetting() {
        #expect(decoder.decode("010703206980498810A", aim: "]C0").kind == .text)
        #expect(decoder.decode("010703206980498810A", aim: "]C0").problems.isEmpty)
        let invalid = decoder.decode("010703206980498810A", aim: "]0E")
        #expect(invalid.kind == .gs1)
        #expect(invalid.problems.map(\.code) == [.invalidAIMIdentifier])
    }

    @Test func withoutTheSettingTheyAreSuspected() {
        let text = "01070320698049881726123110LOT-7"
        let barcode = BarcodeDecoder().decode(text, aim: nil)
        #expect(barcode.kind == .text)
        #expect(
            barcode.problems == [
                Problem(
                    code: .gs1Suspect, severity: .warning,
                    message: "\"\(text)\" reads as GS1 element strings: expected an AIM identifier "
                        + "or FNC1, got neither (the scanner's setting content: gs1 reads it).")
            ])
        #expect(decoder.decode(text, aim: nil).problems.isEmpty)
    }

    @Test(arguments: [
        ("010703206980498810LOT|21SER", "substitutes: {\"|\": \"\\u001d\"}"),
        ("010703206980498810LOT]21SER", "substitutes: {\"]\": \"\\u001d\"}"),
        ("010703206980498810LOT^21SER^17261231", "substitutes: {\"^\": \"\\u001d\"}"),
        ("|010703206980498810LOT|21SER", "substitutes: {\"|\": \"\\u001d\"}"),
        ("010703206980498810LOT/7è21SER", "substitutes: {\"è\": \"\\u001d\"}"),
        ("010703206980498810LOT\u{1C}21SER", "substitutes: {\"\u{1C}\": \"\\u001d\"}"),
        ("0107032069804988+10LOT", "substitutes: {\"+\": \"\\u001d\"}"),
        ("010703206980498810LOT<GS>21SER", "control_names: [angle]"),
        ("010703206980498810LOT{GS}21SER", "control_names: [braces]"),
    ])
    func anotherCharacterForFNC1IsSuspected(text: String, setting: String) throws {
        let barcode = BarcodeDecoder().decode(text, aim: nil)
        #expect(barcode.kind == .text)
        #expect(barcode.problems.map(\.code) == [.gs1Suspect])
        #expect(barcode.problems.map(\.severity) == [.warning])
        let message = try #require(barcode.problems.first?.message)
        #expect(message.contains(setting), "\(message)")
    }

    @Test(arguments: ["]C1", "]d2", nil])
    func itIsSuspectedInElementStringsToo(aim: String?) {
        let barcode = decoder.decode("010703206980498810LOT|21SER", aim: aim)
        #expect(barcode.kind == .gs1)
        #expect(barcode.problems.map(\.code) == [.wrongCharacter, .gs1Suspect])
    }

    @Test(arguments: [
        "4006381333931", "0107032069804988", "15400141288763", "00340123450000000000",
        // No GTIN at the start, a wrong check digit, only zeros, and errors after the GTIN.
        "1726123110LOT7|21B", "0107032069804989" + "10A", "0100000000000000" + "10A",
        "010703206980498817261331", "010703206980498810LOT~7", "0107032069804988" + "05A",
        // No single character, read as FNC1, gives element strings.
        "0107032069804988#10LOT|21SER", "010703206980498810LOT~d02921SER", "01|07032069804988|10A",
        // Either of two characters, read as FNC1, gives element strings.
        "010703206980498810AAAAAA+21BBBBBB-21CCCCCC",
        "(01", "HELLO WORLD, THIS IS A TEXT", "https://example.com/0107032069804988",
        "20230107032069804988" + "10A", "17261231010703206980498810A",
        "42012345919374869903500000000000", "012345678901234567890",
        // More than eight different characters that could be FNC1, and more than 512 bytes.
        "010703206980498810!%&'*+,-|21A",
        "0107032069804988" + String(repeating: "91A|", count: 130),
    ])
    func whatIsDoubtfulIsNotSuspected(text: String) {
        let problems = BarcodeDecoder().decode(text, aim: nil).problems
        #expect(!problems.contains { $0.code == .gs1Suspect })
    }
}
