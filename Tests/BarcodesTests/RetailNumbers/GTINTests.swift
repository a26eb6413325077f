import Barcodes
import Testing

struct GTINTests {
    @Test(arguments: [
        ("96385074", "00000096385074"), ("012345678905", "00012345678905"),
        ("5449000000996", "05449000000996"), ("15400141288763", "15400141288763"),
        ("0012345678905", "00012345678905"), ("00012345678905", "00012345678905"),
        ("00000000", "00000000000000"), ("99999999999997", "99999999999997"),
    ])
    func isAlwaysFourteenDigits(text: String, canonical: String) throws {
        let gtin = try GTIN(text)
        #expect(gtin.text == canonical)
        #expect(gtin.description == canonical)
    }

    @Test(arguments: [
        ("", GTINError.wrongLength(text: "", found: 0)),
        ("123456789", .wrongLength(text: "123456789", found: 9)),
        ("123456789012345", .wrongLength(text: "123456789012345", found: 15)),
        ("5449000000997", .wrongCheckDigit(text: "5449000000997", expected: 6, found: 7)),
        ("544900000099X", .notADigit(text: "544900000099X", at: 12)),
        (" 449000000996", .notADigit(text: " 449000000996", at: 0)),
        ("12345é7", .notADigit(text: "12345é7", at: 5)),
        ("+449000000996", .notADigit(text: "+449000000996", at: 0)),
    ])
    func aTextThatIsNoneNamesTheReason(text: String, error: GTINError) {
        #expect(throws: error) { try GTIN(text) }
    }

    @Test(arguments: [
        (
            GTINError.wrongLength(text: "123", found: 3),
            "\"123\" is not a GTIN: expected 8, 12, 13 or 14 digits, got 3 characters."
        ),
        (
            .notADigit(text: "1234567X", at: 7),
            "\"1234567X\" is not a GTIN: expected a digit at offset 7, got another character."
        ),
        (
            .wrongCheckDigit(text: "12345678", expected: 0, found: 8),
            "\"12345678\" is not a GTIN: expected the check digit 0, got 8."
        ),
    ])
    func anErrorIsOneSentence(error: GTINError, sentence: String) {
        #expect(error.description == sentence)
    }

    @Test(
        arguments: [
            ("96385074", "96385074", "000096385074", "0000096385074"),
            ("012345678905", nil, "012345678905", "0012345678905"),
            ("5449000000996", nil, nil, "5449000000996"),
            ("15400141288763", nil, nil, nil),
        ] as [(String, String?, String?, String?)])
    func hasTheSpellingsItFitsIn(
        text: String, gtin8: String?, gtin12: String?, gtin13: String?
    ) throws {
        let gtin = try GTIN(text)
        #expect(gtin.gtin8 == gtin8)
        #expect(gtin.gtin12 == gtin12)
        #expect(gtin.gtin13 == gtin13)
    }

    @Test func aNumberIsCheckedToo() {
        #expect(GTIN(number: 5_449_000_000_996)?.text == "05449000000996")
        #expect(GTIN(number: 5_449_000_000_997) == nil)
        #expect(GTIN(number: 100_000_000_000_000) == nil)
        #expect(GTIN(number: .max) == nil)
    }

    @Test(arguments: [
        ("04252614", "042100005264"), ("01234505", "012000003455"), ("01234514", "012100003454"),
        ("01234523", "012200003453"), ("01234531", "012300000451"), ("01234543", "012340000053"),
        ("01234558", "012345000058"), ("01234565", "012345000065"), ("01234572", "012345000072"),
        ("01234589", "012345000089"), ("01234596", "012345000096"), ("11234562", "112345000062"),
    ])
    func upcEExpandsAndCompresses(upcE: String, upcA: String) throws {
        let gtin = try #require(GTIN(upcE: upcE))
        #expect(gtin.gtin12 == upcA)
        #expect(gtin.upcE == upcE)
    }

    @Test(arguments: [
        "012345678905", "5449000000996", "212345000069", "012345000041", "012300001007",
        "012340000107",
    ])
    func mostNumbersDoNotCompress(text: String) {
        #expect((try? GTIN(text))?.upcE == nil)
    }

    @Test(arguments: ["0425261", "24252614", "04252615", "0425261X", ""])
    func otherTextIsNoUPCE(text: String) {
        #expect(GTIN(upcE: text) == nil)
    }
}
