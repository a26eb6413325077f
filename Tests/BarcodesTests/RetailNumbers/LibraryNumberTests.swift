import Testing

@testable import Barcodes

struct LibraryNumberTests {
    @Test(arguments: [
        ("23006003382595", true), ("A23006003382595B", true), ("a31234000000016d", false),
        ("t31234000000016*", false), ("E31234000000016N", false),
    ])
    func isReadWithAndWithoutLetters(text: String, isOfReader: Bool) throws {
        let number = try #require(LibraryNumber(text))
        #expect(text.contains(number.digits))
        #expect(number.isOfReader == isOfReader)
        #expect(number.spellings.contains(number.digits))
        #expect(number.spellings.contains("A\(number.digits)B"))
    }

    @Test(arguments: [
        "", "A", "AB", "43006003382595", "23006003382596", "A23006003382595", "23006003382595B",
        "F23006003382595B", "2300600338259", "230060033825950",
    ])
    func anotherTextIsNone(text: String) {
        #expect(LibraryNumber(text) == nil)
    }

    @Test func theCheckDigitIsThatOfTheRule() {
        var random = SeededGenerator(state: 10)
        for _ in 0..<2_000 {
            let digits = (0..<14).map { _ in Int.random(in: 0...9, using: &random) }
            var sum = 0
            for place in 0..<14 {
                let value = place % 2 == 0 ? digits[place] * 2 : digits[place]
                sum += value > 9 ? value - 9 : value
            }
            #expect(CheckDigit.isLuhn(digits.map(String.init).joined()) == (sum % 10 == 0))
        }
        #expect(!CheckDigit.isLuhn(""))
        #expect(!CheckDigit.isLuhn("4x"))
    }
}
