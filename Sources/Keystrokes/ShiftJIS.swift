/// Shift_JIS with Microsoft's extensions (code page 932), as used in Japanese barcodes.
///
/// Rule: JIS X 0208:1997, annex 1, for the bytes; Microsoft's code page 932 for the characters. 0x5C is a backslash,
/// and 0x7E is a tilde.
enum ShiftJIS {
    static func decoded(_ bytes: [UInt8]) -> DecodedBytes {
        var text = String.UnicodeScalarView()
        var index = 0
        while index < bytes.count {
            let length = isLead(bytes[index]) ? 2 : 1
            guard index + length <= bytes.count,
                let scalar = length == 1
                    ? single(bytes[index]) : double(bytes[index], bytes[index + 1])
            else { return .invalid(at: index) }
            text.append(scalar)
            index += length
        }
        return .text(String(text))
    }

    /// Returns the one or two bytes that encode a character; nil if the encoding lacks it.
    static func bytes(of scalar: Unicode.Scalar) -> [UInt8]? {
        if scalar.isASCII { return [UInt8(scalar.value)] }
        if halfwidthKatakana.contains(scalar.value) {
            return [UInt8(scalar.value - halfwidthKatakana.lowerBound + 0xA1)]
        }
        for (row, characters) in grid.enumerated() {
            if let cell = characters.firstIndex(of: scalar), scalar != "\u{FFFD}" {
                return bytes(row: row, cell: cell)
            }
        }
        return nil
    }

    /// The characters of ``rows``, indexed by row, then by cell.
    private static let grid: [[Unicode.Scalar]] = rows.split(
        separator: "\n", omittingEmptySubsequences: false
    ).map { Array($0.unicodeScalars) }

    private static let halfwidthKatakana: ClosedRange<UInt32> = 0xFF61...0xFF9F

    private static func isLead(_ byte: UInt8) -> Bool {
        (0x81...0x9F).contains(byte) || (0xE0...0xFC).contains(byte)
    }

    private static func single(_ byte: UInt8) -> Unicode.Scalar? {
        switch byte {
        case 0..<0x80: Unicode.Scalar(byte)
        case 0xA1...0xDF: Unicode.Scalar(halfwidthKatakana.lowerBound + UInt32(byte) - 0xA1)
        default: nil
        }
    }

    private static func double(_ lead: UInt8, _ trail: UInt8) -> Unicode.Scalar? {
        guard (0x40...0xFC).contains(trail), trail != 0x7F else { return nil }
        let pair = Int(lead) - (lead < 0xA0 ? 0x81 : 0xC1)
        let row = pair * 2 + (trail >= 0x9F ? 1 : 0)
        let cell = Int(trail) - (trail >= 0x9F ? 0x9F : trail > 0x7F ? 0x41 : 0x40)
        guard row < grid.count, cell < grid[row].count else { return nil }
        return grid[row][cell] == "\u{FFFD}" ? nil : grid[row][cell]
    }

    private static func bytes(row: Int, cell: Int) -> [UInt8] {
        let lead = 0x81 + row / 2
        let trail = row % 2 == 1 ? 0x9F + cell : cell < 0x3F ? 0x40 + cell : 0x41 + cell
        return [UInt8(lead > 0x9F ? lead + 0x40 : lead), UInt8(trail)]
    }
}
