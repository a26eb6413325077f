import Barcodes
import Testing

struct DecimalNumberTests {
    @Test(
        arguments: [
            (349, 2, "3.49"), (49, 2, "0.49"), (0, 2, "0.00"), (1750, 3, "1.750"), (5, 0, "5"),
            (5, -1, "5"),
            (5, 5, "0.00005"), (123456, 5, "1.23456"),
        ] as [(UInt64, Int, String)])
    func hasADigitAheadOfThePoint(significand: UInt64, decimals: Int, text: String) {
        #expect(DecimalNumber(significand: significand, decimals: decimals).description == text)
    }

    @Test(
        arguments: [
            ("(3103)001750", "1.750", nil), ("(3922)349", "3.49", nil),
            ("(3932)978349", "3.49", "978"),
            ("(3912)978349", "3.49", "978"), ("(3900)5", "5", nil), ("(3943)1234", "1.234", nil),
            ("(3952)001999", "19.99", nil), ("(3605)000001", "0.00001", nil), ("(10)5", nil, nil),
            ("(3103)00A750", nil, nil), ("(3932)978", nil, nil), ("(3932)97A349", "3.49", nil),
            ("(37)5", nil, nil),
        ] as [(String, String?, String?)])
    func anElementMayHoldOne(text: String, decimal: String?, currency: String?) throws {
        let element = try #require(BarcodeDecoder().decode(text, aim: nil).gs1?.elements.first)
        #expect(element.decimal?.description == decimal)
        #expect(element.currency == currency)
    }
}
