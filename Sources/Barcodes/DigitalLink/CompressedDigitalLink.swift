extension DigitalLinkReader {
    /// Recognises a compressed Digital Link, whose last path segment is base64url.
    ///
    /// Its first two hexadecimal digits are those of the key. For (01) and (00) the number that
    /// follows must have a right check digit; else only GS1's own domain is trusted.
    ///
    /// Rule: GS1 Digital Link Standard: Compression, section 3.
    static func compression(
        _ bytes: Span<UInt8>, _ host: Range<Int>, _ path: Range<Int>
    ) -> Outcome {
        var start = path.upperBound
        while bytes[start - 1] != UInt8(ascii: "/") { start -= 1 }
        guard path.upperBound - start >= 9 else { return .address }
        for index in start..<path.upperBound where base64Value(bytes[index]) == nil {
            return .address
        }
        let header = bits(bytes, from: start, 0..<8)
        if header == 0x01, let gtin = GTIN(number: bits(bytes, from: start, 8..<55)),
            gtin.number > 0
        {
            return .compressed(gtin)
        }
        if header == 0x00, path.upperBound - start >= 12,
            case let number = bits(bytes, from: start, 8..<68), number > 0,
            number < 1_000_000_000_000_000_000,
            CheckDigit.gs1(forNumber: number / 10) == number % 10
        {
            return .compressed(nil)
        }
        return isGS1(bytes, host) && path.lowerBound + 1 == start ? .compressed(nil) : .address
    }

    /// A number out of base64url characters, six bits each; bits past the end are 0.
    private static func bits(_ bytes: Span<UInt8>, from start: Int, _ range: Range<Int>) -> UInt64 {
        range.reduce(0) { number, bit in
            let index = start + bit / 6
            let value = index < bytes.count ? base64Value(bytes[index]) ?? 0 : 0
            return number << 1 | UInt64(value >> (5 - UInt8(bit % 6)) & 1)
        }
    }

    private static func base64Value(_ byte: UInt8) -> UInt8? {
        if byte.isUpper { return byte - UInt8(ascii: "A") }
        if byte.isLower { return byte - UInt8(ascii: "a") + 26 }
        if byte.isDigit { return byte - UInt8(ascii: "0") + 52 }
        if byte == UInt8(ascii: "-") { return 62 }
        return byte == UInt8(ascii: "_") ? 63 : nil
    }
}
