import Barcodes
import Testing

struct ISBNTests {
    @Test(
        arguments: [
            ("9780306406157", "9780306406157", "0306406152"),
            ("978-0-306-40615-7", "9780306406157", "0306406152"),
            ("978 0 306 40615 7", "9780306406157", "0306406152"),
            ("0306406152", "9780306406157", "0306406152"),
            ("0-306-40615-2", "9780306406157", "0306406152"),
            ("080442957X", "9780804429573", "080442957X"),
            ("0-8044-2957-X", "9780804429573", "080442957X"),
            ("080442957x", "9780804429573", "080442957X"),
            ("9791090636071", "9791090636071", nil), ("979-10-90636-07-1", "9791090636071", nil),
            ("0000000000", "9780000000002", "0000000000"),
        ] as [(String, String, String?)])
    func hasALongAndAShortForm(text: String, long: String, short: String?) throws {
        let isbn = try ISBN(text)
        #expect(isbn.description == long)
        #expect(isbn.isbn10 == short)
        let barcode = BarcodeDecoder().decode(text, aim: nil)
        #expect(barcode.kind == .isbn)
        #expect(barcode.isbn == isbn)
        #expect(barcode.gtin == isbn.gtin)
        #expect(barcode.checkDigit == .valid)
        #expect(barcode.issn == nil && barcode.issnVariant == nil)
    }

    @Test(arguments: [
        ("", ISBNError.wrongLength(text: "", found: 0)),
        ("978030640615", .wrongLength(text: "978030640615", found: 12)),
        ("9780306406158", .wrongCheckDigit(text: "9780306406158", expected: "7", found: "8")),
        ("9790060115615", .wrongPrefix(text: "9790060115615")),
        ("5449000000996", .wrongPrefix(text: "5449000000996")),
        ("978030640615X", .wrongCharacter(text: "978030640615X")),
        ("0306406153", .wrongCheckDigit(text: "0306406153", expected: "2", found: "3")),
        ("030640615X", .wrongCheckDigit(text: "030640615X", expected: "2", found: "X")),
        ("0804429570", .wrongCheckDigit(text: "0804429570", expected: "X", found: "0")),
        ("08044X9570", .wrongCharacter(text: "08044X9570")),
        ("080442957Y", .wrongCharacter(text: "080442957Y")),
    ])
    func aTextThatIsNoneNamesTheReason(text: String, error: ISBNError) {
        #expect(throws: error) { try ISBN(text) }
    }

    @Test(arguments: ["0306406153", "0-306-40615-3", "979-0-060-11561-5", "ISBN 0306406152"])
    func otherTextIsNoBook(text: String) {
        #expect(BarcodeDecoder().decode(text, aim: nil).kind == .text)
    }

    @Test func aBooksNumberComesFromItsGTIN() throws {
        #expect(ISBN(gtin: try GTIN("9780306406157"))?.isbn10 == "0306406152")
        #expect(ISBN(gtin: try GTIN("9790060115615")) == nil)
        #expect(ISBN(gtin: try GTIN("5449000000996")) == nil)
        #expect(BarcodeDecoder().decode("0-306-40615-2", aim: "]A0").symbology == .code39)
    }

    @Test(arguments: [
        (
            ISBNError.wrongLength(text: "1", found: 1),
            "\"1\" is no ISBN or ISSN: expected 8, 10 or 13 digits, got 1."
        ),
        (
            .wrongCharacter(text: "x"),
            "\"x\" is no ISBN or ISSN: expected only digits, and X at the end, got another character."
        ),
        (
            .wrongPrefix(text: "5"),
            "\"5\" is no ISBN or ISSN: expected the prefix 977, 978 or 979, got another."
        ),
        (
            .wrongCheckDigit(text: "0", expected: "X", found: "1"),
            "\"0\" is no ISBN or ISSN: expected the check digit X, got 1."
        ),
    ])
    func anErrorIsOneSentence(error: ISBNError, sentence: String) {
        #expect(error.description == sentence)
    }
}
