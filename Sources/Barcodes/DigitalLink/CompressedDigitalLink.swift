extension DigitalLinkReader {
    /// Returns a `url` reading if the address is a compressed Digital Link; otherwise, returns nil.
    ///
    /// The last path segment must be base64url; its first eight bits identify the primary key. The key must be (01) or
    /// (00) and have a correct check digit. On GS1's own domain, any key is accepted if the path has only one segment.
    ///
    /// Rule: GS1 Digital Link Standard: Compression, section 3.
    static func compressed(
        _ bytes: Span<UInt8>, _ host: Range<Int>, _ path: Range<Int>
    ) -> Reading? {
        let start = (lastSlash(bytes, path) ?? path.lowerBound) + 1
        let values = (start..<path.upperBound).compactMap { alphabet.firstIndex(of: bytes[$0]) }
        guard values.count >= 9, values.count == path.upperBound - start else { return nil }
        let header = bits(values, 0..<8)
        let gtin = header == 0x01 ? GTIN(number: bits(values, 8..<55)) : nil
        let pallet = header == 0x00 && values.count >= 12 ? bits(values, 8..<68) : 0
        let isPallet =
            (1..<1_000_000_000_000_000_000).contains(pallet)
            && CheckDigit.gs1(forNumber: pallet / 10) == pallet % 10
        let isGS1 = isGS1(bytes, host) && path.lowerBound + 1 == start
        guard gtin.map({ $0.number > 0 }) ?? (isPallet || isGS1) else { return nil }
        let problem = Problem(
            .warning, .compressedDigitalLink, "The Digital Link is compressed",
            expected: "element strings in the path", got: "base64, which is not read")
        return Reading(.url, gtin: gtin, problems: [problem])
    }

    /// Returns a range of bits as a number; each of the `values` contains six bits.
    private static func bits(_ values: [Int], _ range: Range<Int>) -> UInt64 {
        range.reduce(0) { number, bit in
            let value = bit / 6 < values.count ? values[bit / 6] : 0
            return number << 1 | UInt64(value >> (5 - bit % 6) & 1)
        }
    }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}
