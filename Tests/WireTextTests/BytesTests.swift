import Testing
import WireText

@Suite struct BytesTests {
    @Test(
        arguments: [
            (0, 1, "0"), (9, 1, "9"), (10, 1, "10"), (42, 5, "00042"), (12345, 3, "12345"),
            (.max, 1, "18446744073709551615"), (.max, 22, "0018446744073709551615"), (7, 0, "7"),
            (0, 20, "00000000000000000000"), (100, 3, "100"),
        ] as [(UInt64, Int, String)])
    func numbersArePaddedWithZeros(value: UInt64, digits: Int, text: String) {
        var bytes: [UInt8] = []
        bytes.appendDecimal(value, digits: digits)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test(
        arguments: [
            (0x1B, 2, "x", "x1b"), (0x202E, 4, "u", "u202e"), (0xE0041, 8, "U", "U000e0041"),
            (0xABC, 2, "x", "xbc"), (0, 4, "u", "u0000"),
        ] as [(UInt32, Int, Unicode.Scalar, String)])
    func hexadecimalDigitsAreSmall(
        value: UInt32, digits: Int, mark: Unicode.Scalar, text: String
    ) {
        var bytes: [UInt8] = []
        bytes.appendHexadecimal(value, digits: digits, marked: mark)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test func numbersAreWrittenAsSwiftWritesThem() {
        for value in [0, 1, 10, 99, 100, 65_535, UInt64(UInt32.max), .max - 1, .max] {
            var bytes = Array("n=".utf8)
            bytes.appendDecimal(value)
            #expect(String(decoding: bytes, as: UTF8.self) == "n=\(value)")
        }
    }

    @Test func literalsAreAppendedAsTheyAre() {
        var bytes = Array("a".utf8)
        bytes.append("\\é")
        bytes.append("")
        #expect(bytes == Array("a\\é".utf8))
    }
}
