import TestTexts
import Testing

@testable import Barcodes

struct PZNTests {
    @Test(arguments: [
        ("03752864", "110375286414", "04150037528643"),
        ("3752864", "110375286414", "04150037528643"),
        ("12345684", nil, nil), ("1234562", nil, nil), ("01234562", nil, nil),
        ("06319429", nil, nil), ("6319429", nil, nil),
    ])
    func hasAPPNAndAnNTIN(digits: String, ppn: String?, ntin: String?) throws {
        let pzn = try #require(PZN(digits))
        #expect(pzn.digits.suffix(digits.count) == digits)
        if let ppn { #expect(pzn.ppn == ppn) }
        if let ntin { #expect(pzn.ntin.text == ntin) }
        #expect(PZN(code: pzn.ppn) == pzn)
        #expect(PZN(code: "9N" + pzn.ppn) == pzn)
        #expect(PZN(ntin: try GTIN(pzn.ntin.text)) == pzn)
        for start in ["", "-", "PZN", "pzn-", "PZN - ", "PZN: "] {
            #expect(PZN(code: start + digits) == pzn)
        }
        #expect(PZN(code: pzn.ppn) == pzn)
    }

    @Test(arguments: [
        "", "0", "123456", "03752865", "3752865", "037528640", "0375286X", "-3752864",
    ])
    func otherDigitsAreNone(text: String) {
        #expect(PZN(text) == nil)
    }

    @Test(arguments: ["110375286415", "120375286414", "11037528641", "111234567890", "9N", ""])
    func otherDigitsAreNoPPN(text: String) {
        #expect(PZN(code: text) == nil)
    }

    @Test func anotherGTINHoldsNone() throws {
        #expect(PZN(ntin: try GTIN("04006381333931")) == nil)
        #expect(PZN(ntin: try GTIN("04150037528650")) == nil)
    }

    /// Compares with check digits that are computed digit by digit, by the rules of IFA.
    @Test func checkDigitsAreThoseOfTheRules() {
        var random = SplitMix(seed: 97)
        for _ in 0..<2_000 {
            let digits = (0..<7).map { _ in Int.random(in: 0...9, using: &random) }
            let text = digits.map(String.init).joined()
            var sum = 0
            for place in 1...7 { sum += place * digits[place - 1] }
            while sum >= 11 { sum -= 11 }
            #expect(PZN.checkDigit(for: text) == (sum == 10 ? nil : sum))
            if digits[0] == 0 {
                #expect(PZN.checkDigit(for: text.dropFirst()) == (sum == 10 ? nil : sum))
            }
            var total = 0
            for (offset, character) in ("11" + text + "0").enumerated() {
                for _ in 0..<offset + 2 { total += Int(character.asciiValue ?? 0) }
            }
            while total >= 97 { total -= 97 }
            #expect(PZN.checkDigits(for: "11" + text + "0") == total)
        }
    }

    @Test(arguments: [
        ("-03752864", nil), ("-03752864", "]A0"), ("PZN-3752864", nil), ("110375286414", nil),
        ("9N110375286414", "]d1"), ("[)>\u{1E}06\u{1D}9N110375286414\u{1D}1TX\u{1E}\u{4}", "]d1"),
        ("*-03752864*", nil), ("*-3752864*", nil), ("*-03752864*", "]A0"),
        ("04150037528643", nil), ("]d2010415003752864321X\u{1D}10Y", nil),
    ])
    func isFoundInEveryForm(text: String, aim: String?) {
        let decoder = BarcodeDecoder()
        let barcode = aim == nil ? decoder.decode(text) : decoder.decode(text, aim: aim)
        #expect(barcode.number == "03752864")
        #expect(barcode.checkDigit == .valid)
        #expect(barcode.problems.isEmpty)
    }

    @Test(arguments: [
        ("-3752864", nil, true), ("-3752864", "]A0", false), ("-03752864", nil, false),
    ])
    func sevenDigitsMayBeANumberOfTheShopsOwn(text: String, aim: String?, isDoubtful: Bool) {
        let barcode = BarcodeDecoder().decode(text, aim: aim)
        #expect(barcode.kind == .pzn)
        #expect(barcode.problems.map(\.code) == (isDoubtful ? [.ambiguous] : []))
        #expect(barcode.alternatives.map(\.number) == (isDoubtful ? [text] : []))
    }

    @Test(arguments: [
        ("-03752865", nil, false), ("-3752865", "]A0", false), ("-03752865", "]A0", true),
        ("PZN-03752865", nil, true), ("9N110375286415", nil, true), ("110375286415", "]d1", false),
        ("[)>\u{1E}06\u{1D}9N110375286415\u{1E}\u{4}", nil, true), ("*-03752865*", nil, true),
        ("*-3752865*", nil, false), ("-03752864*", nil, false),
    ])
    func aWrongCheckDigitIsAnErrorOnlyWithEvidence(text: String, aim: String?, isError: Bool) {
        let barcode = BarcodeDecoder().decode(text, aim: aim)
        #expect(barcode.number == nil)
        #expect(barcode.problems.map(\.code) == (isError ? [.wrongCheckDigit] : []))
        #expect(barcode.checkDigit == (isError ? .invalid : nil))
    }
}
