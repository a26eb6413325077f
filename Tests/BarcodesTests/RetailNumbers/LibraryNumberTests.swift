import TestTexts
import Testing

@testable import Barcodes

struct LibraryNumberTests {
    @Test(arguments: [
        ("23006003382504", true), ("A23006003382595B", true), ("a31234000000016d", false),
        ("t31234000000016*", false), ("E31234000000016N", false),
    ])
    func isReadWithAndWithoutLetters(text: String, isOfPatron: Bool) throws {
        let number = try #require(LibraryNumber(text))
        #expect(text.contains(number.digits))
        let barcode = BarcodeDecoder().decode(text, aim: nil)
        #expect(barcode.kind == .library)
        #expect(barcode.fields.first?.title == (isOfPatron ? "patron" : "item"))
        #expect(barcode.number == number.digits)
        #expect(barcode.problems.isEmpty)
        #expect(BarcodeDecoder().decode(text, aim: "]F0").kind == .library)
    }

    @Test(arguments: [
        "", "A", "AB", "43006003382595", "23006003382596", "A23006003382595", "23006003382595B",
        "F23006003382595B", "2300600338259", "230060033825950",
    ])
    func anotherTextIsNone(text: String) {
        #expect(LibraryNumber(text) == nil)
    }

    @Test func theCheckDigitIsThatOfTheRule() {
        var random = SplitMix(seed: 10)
        for _ in 0..<2_000 {
            let digits = (0..<14).map { _ in Int.random(in: 0...9, using: &random) }
            var sum = 0
            for place in 0..<14 {
                let value = place % 2 == 0 ? digits[place] * 2 : digits[place]
                sum += value > 9 ? value - 9 : value
            }
            #expect(CheckDigit.isLuhn(digits.map { UInt8(0x30 + $0) }) == (sum % 10 == 0))
        }
        #expect(!CheckDigit.isLuhn("".utf8))
        #expect(!CheckDigit.isLuhn("4x".utf8))
    }

    @Test func fourteenDigitsMayBeBothACartonAndABook() throws {
        var found = 0
        for number in 3_123_400_000_000..<3_123_400_000_040 {
            let text = String(number) + String(CheckDigit.gs1(forNumber: UInt64(number)))
            let barcode = BarcodeDecoder().decode(text, aim: nil)
            #expect(barcode.symbology == .itf14)
            guard LibraryNumber(text) != nil else { continue }
            found += 1
            #expect(barcode.problems.map(\.code) == [.ambiguous])
            #expect(barcode.alternatives.map(\.kind) == [.library])
            #expect(BarcodeDecoder().decode(text, aim: "]I1").alternatives.isEmpty)
        }
        #expect(found > 0)
    }
}
