import Barcodes
import Testing

struct ISBNTests {
    private let decoder = BarcodeDecoder()

    @Test(arguments: [
        ("9780306406157", "09780306406157", false), ("978-0-306-40615-7", "09780306406157", false),
        ("978 0 306 40615 7", "09780306406157", false), ("0306406152", "09780306406157", true),
        ("0-306-40615-2", "09780306406157", false), ("0-306-406152", "09780306406157", true),
        ("080442957X", "09780804429573", true), ("0-8044-2957-X", "09780804429573", false),
        ("080442957x", "09780804429573", true), ("9791090636071", "09791090636071", false),
        ("979-10-90636-07-1", "09791090636071", false), ("0000000000", "09780000000002", true),
    ])
    func aBookHasALongAndAShortForm(text: String, gtin: String, isDoubtful: Bool) {
        let barcode = decoder.decode(text, aim: nil)
        #expect(barcode.kind == .isbn)
        #expect(barcode.gtin?.text == gtin)
        #expect(barcode.checkDigit == .valid)
        #expect(barcode.problems.map(\.code) == (isDoubtful ? [.ambiguous] : []))
        #expect(barcode.alternatives.map(\.number) == (isDoubtful ? [text] : []))
    }

    @Test(arguments: [
        "0306406153", "0-306-40615-3", "979-0-060-11561-5", "ISBN 0306406152", "030640615X",
        "0804429570", "08044X9570", "080442957Y", "978-0-306-40615-8", "978-0-306-4061-57X",
        "544-9-000-00099-6",
    ])
    func otherTextIsNoBook(text: String) {
        #expect(decoder.decode(text, aim: nil).kind == .text)
    }

    @Test func anIdentifierOfAnySymbologyKeepsIt() {
        #expect(decoder.decode("0-306-40615-2", aim: "]A0").symbology == .code39)
        #expect(decoder.decode("1000471209", aim: "]C0").problems.map(\.code) == [.ambiguous])
        #expect(
            decoder.decode("1000471209", aim: "]C0").alternatives.map(\.symbology) == [.code128])
    }

    @Test(arguments: [
        ("0317-8471", "09770317847001"), ("2434-561X", "09772434561006"),
        ("2434-561x", "09772434561006"), ("0378-5955", "09770378595001"),
        ("1050-124X", "09771050124000"), ("2025-0010", "09772025001003"),
    ])
    func aSerialHasAHyphenAndMayBeAnotherNumber(text: String, gtin: String) {
        let barcode = decoder.decode(text, aim: nil)
        #expect(barcode.kind == .issn)
        #expect(barcode.gtin?.text.dropLast() == gtin.dropLast())
        #expect(barcode.checkDigit == .valid)
        #expect(barcode.problems.map(\.code) == [.ambiguous])
        #expect(barcode.alternatives.map(\.number) == [text])
    }

    @Test(arguments: [
        "0317-8472", "03178471", "2434561X", "2434561Y", "2434-561Y", "24X4-5610", "031-78471",
        "2434-5610", "0317 8471",
    ])
    func otherTextIsNoSerial(text: String) {
        #expect(decoder.decode(text, aim: nil).kind != .issn)
    }

    @Test func aSerialsEAN13IsOne() {
        let barcode = decoder.decode("9771234567003", aim: "]E0")
        #expect(barcode.kind == .issn)
        #expect(barcode.problems.isEmpty)
    }
}
