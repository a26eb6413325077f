import Barcodes
import Testing

struct CheckDigitTests {
    @Test(arguments: [
        ("544900000099", 6), ("01234567890", 5), ("9638507", 4), ("1540014128876", 3), ("0", 0),
        ("1", 7),
        ("34012345000000000", 0), ("999999999999999999999", 3), ("", 0),
    ])
    func fillsUpTheWeightedSum(digits: String, check: Int) {
        #expect(CheckDigit.gs1(for: digits) == check)
        #expect(CheckDigit.isValid(digits + String(check)))
        #expect(!CheckDigit.isValid(digits + String((check + 1) % 10)))
    }

    @Test(arguments: ["A", "1A", "１", "5449000000996 ", "\u{0600}6"])
    func isOnlyOfDigits(text: String) {
        #expect(CheckDigit.gs1(for: text) == nil)
        #expect(!CheckDigit.isValid(text))
        #expect(!CheckDigit.isValid(""))
    }

    @Test(
        arguments: [
            ("2875", 9), ("14685", 6), ("0000", 0), ("00000", 0), ("9999", 6), ("1234", nil),
            ("123", nil),
            ("123456", nil), ("12A4", nil), ("99999", nil),
        ] as [(String, Int?)])
    func aPriceHasItsOwn(digits: String, check: Int?) {
        let found = CheckDigit.priceOrWeight(for: digits)
        if let check { #expect(found == check) }
        #expect((found == nil) == (digits.count < 4 || digits.count > 5 || digits.contains("A")))
    }
}
