import Barcodes
import Testing

struct CharacterSetTests {
    @Test(arguments: [
        ValueVector("10", "ABCXYZabcxyz0123456"), ValueVector("10", "!\"%&'()*+,-./:;<=>?_"),
        ValueVector("21", "0"), ValueVector("240", "A.B"), ValueVector("90", "x"),
        ValueVector("10", "A‹ ›B", .wrongCharacter), ValueVector("10", "‹#›", .wrongCharacter),
        ValueVector("10", "AB‹$›", .wrongCharacter), ValueVector("21", "‹@›1", .wrongCharacter),
        ValueVector("21", "1‹[›2", .wrongCharacter), ValueVector("21", "‹\\›", .wrongCharacter),
        ValueVector("240", "‹^›", .wrongCharacter), ValueVector("240", "‹`›", .wrongCharacter),
        ValueVector("90", "‹~›", .wrongCharacter), ValueVector("90", "‹{›", .wrongCharacter),
        ValueVector("90", "‹\u{7F}›", .wrongCharacter), ValueVector("90", "‹é›", .wrongCharacter),
        ValueVector("90", "a‹\t›", .wrongCharacter),
    ])
    func mostValuesAreOfSet82(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("8010", "1234-A/B#9"), ValueVector("8010", "0000ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        ValueVector("8010", "1234"), ValueVector("8010", "56789"), ValueVector("8010", "1234#"),
        ValueVector("8010", "1234‹a›", .wrongCharacter),
        ValueVector("8010", "1234‹_›", .wrongCharacter),
        ValueVector("8010", "1234‹.›", .wrongCharacter),
        ValueVector("8010", "1234‹+›", .wrongCharacter),
        ValueVector("8010", "1234‹:›", .wrongCharacter),
        ValueVector("8010", "1234‹ ›", .wrongCharacter),
    ])
    func partNumbersAreOfSet39(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("8030", "123"), ValueVector("8030", "12"), ValueVector("8030", "12="),
        ValueVector("8030", "1=="), ValueVector("8030", "Az09-_"),
        ValueVector("8030", "‹===›", .wrongCharacter),
        ValueVector("8030", "123‹=›", .wrongCharacter),
        ValueVector("8030", "12‹==›", .wrongCharacter),
        ValueVector("8030", "1‹===›", .wrongCharacter),
        ValueVector("8030", "AB‹+›C", .wrongCharacter), ValueVector("8030", "‹/›", .wrongCharacter),
        ValueVector("8030", "1‹=›2", .wrongCharacter),
        ValueVector("8030", "‹ ›12", .wrongCharacter),
    ])
    func signaturesAreBase64ForFileNames(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("30", "1"), ValueVector("37", "12345678"), ValueVector("7001", "1234567890123"),
        ValueVector("8005", "001999"), ValueVector("242", "123456"),
        ValueVector("30", "‹A›", .wrongCharacter), ValueVector("37", "1‹.›5", .wrongCharacter),
        ValueVector("7001", "123456789012‹X›", .wrongCharacter),
        ValueVector("8005", "‹-›00199", .wrongCharacter),
        ValueVector("242", "12‹ ›", .wrongCharacter),
        ValueVector("30", "‹٣›", .wrongCharacter),
        ValueVector("37", "‹123456789›", .wrongLength), ValueVector("7001", "‹123›", .wrongLength),
    ])
    func numbersAreDigits(vector: ValueVector) {
        vector.check()
    }

    @Test func aCharacterOfManyBytesIsQuotedWhole() {
        let problems = BarcodeDecoder().decode("(90)é1", aim: nil).problems
        #expect(
            problems.map(\.message) == [
                "\"é1\" in (90) is invalid: expected a character of GS1's character set 82, got \"é\"."
            ])
        let unknown = BarcodeDecoder().decode("é12€", aim: "]C1").problems
        #expect(unknown.map(\.span) == [0..<3])
        #expect(unknown.first?.message.hasPrefix("\"é12\" ") == true)
    }
}
