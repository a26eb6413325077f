import Barcodes
import Testing

struct GS1KeyTests {
    @Test func aPalletsNumberIsChecked() throws {
        #expect(try SSCC("340123450000000000").description == "340123450000000000")
        #expect(throws: GS1KeyError.wrongLength(text: "34", expected: 18, found: 2)) {
            try SSCC("34")
        }
        #expect(throws: GS1KeyError.notADigit(text: "34012345000000000X", at: 17)) {
            try SSCC("34012345000000000X")
        }
        #expect(
            throws: GS1KeyError.wrongCheckDigit(text: "340123450000000001", expected: 0, found: 1)
        ) {
            try SSCC("340123450000000001")
        }
    }

    @Test func aPlacesNumberIsChecked() throws {
        #expect(try GLN("9506000134352").description == "9506000134352")
        #expect(throws: GS1KeyError.wrongLength(text: "9", expected: 13, found: 1)) { try GLN("9") }
        #expect(throws: GS1KeyError.wrongCheckDigit(text: "9506000134353", expected: 2, found: 3)) {
            try GLN("9506000134353")
        }
    }

    @Test(arguments: [
        (
            GS1KeyError.wrongLength(text: "9", expected: 13, found: 1),
            "\"9\" is no GS1 key: expected 13 digits, got 1 characters."
        ),
        (
            .notADigit(text: "9A", at: 1),
            "\"9A\" is no GS1 key: expected a digit at offset 1, got another character."
        ),
        (
            .wrongCheckDigit(text: "91", expected: 2, found: 1),
            "\"91\" is no GS1 key: expected the check digit 2, got 1."
        ),
    ])
    func anErrorIsOneSentence(error: GS1KeyError, sentence: String) {
        #expect(error.description == sentence)
    }
}
