import Barcodes
import Testing

struct CheckCharactersTests {
    @Test(arguments: [
        ("1987654Ad4X4bL5ttr2310c", "2K"), ("12345678901234567890123", "NT"), ("00000!", "HV"),
        ("99999zzzzzzzzzzzzzzzzzz", "T2"), ("12345_!\"%&'()*+,-./", "LC"), ("!", "22"),
    ])
    func aKeyWithLettersHasTwoCharacters(text: String, pair: String) {
        #expect(CheckCharacters.gs1(for: text) == pair)
    }

    @Test(arguments: ["", " ", "12345é", "~", String(repeating: "1", count: 98)])
    func checkCharactersAreOfTheirSet(text: String) {
        #expect(CheckCharacters.gs1(for: text) == nil)
    }
}
