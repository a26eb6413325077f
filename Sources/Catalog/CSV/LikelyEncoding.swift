/// Which encoding a text that is not UTF-8 probably has, judged by its bytes beyond ASCII.
///
/// | what speaks for it | encoding |
/// |---|---|
/// | its mark, or a zero byte in every second place | UTF-16 |
/// | pairs of high bytes, most of them of the common Chinese characters | GB18030 |
/// | high bytes among Latin letters that are letters in Polish only | windows-1250 |
/// | whole words of high bytes | windows-1251 (Cyrillic) |
/// | single high bytes otherwise | windows-1252 |
struct LikelyEncoding {
    private let bytes: ArraySlice<UInt8>
    private var (highCount, wordCount, pairCount, commonPairCount) = (0, 0, 0, 0)
    private var (hasOddRun, hasPolishLetter) = (false, false)

    /// The name to write with `--encoding`; nil if the bytes are UTF-8, damaged at most in places.
    static func name(of bytes: ArraySlice<UInt8>) -> String? {
        var evidence = UTF8Evidence()
        evidence.add(bytes)
        guard evidence.wrongBytes > evidence.letters else { return nil }
        return LikelyEncoding(bytes).name
    }

    /// The name if the file's first bytes are those of UTF-16.
    static func utf16(_ bytes: ArraySlice<UInt8>) -> String? {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return "UTF-16"
        }
        let head = Array(bytes.prefix(4))
        guard head.count == 4 else { return nil }
        if head[1] == 0, head[3] == 0, head[0] != 0, head[2] != 0 { return "UTF-16LE" }
        return head[0] == 0 && head[2] == 0 && head[1] != 0 && head[3] != 0 ? "UTF-16BE" : nil
    }

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        var start = bytes.startIndex
        while let first = bytes[start...].firstIndex(where: { $0 >= 0x80 }) {
            let end = bytes[first...].firstIndex { $0 < 0x80 } ?? bytes.endIndex
            count(first..<end)
            start = end
        }
    }

    private var name: String {
        if pairCount > 0, !hasOddRun, commonPairCount * 2 >= pairCount { return "GB18030" }
        if hasPolishLetter { return "windows-1250" }
        return wordCount * 2 >= highCount ? "windows-1251" : "windows-1252"
    }

    /// Counts a run of high bytes.
    private mutating func count(_ run: Range<Int>) {
        highCount += run.count
        if run.count >= 3 { wordCount += run.count }
        // The last run may be cut off where the buffer ends.
        if run.count % 2 == 1, run.upperBound < bytes.endIndex { hasOddRun = true }
        for index in stride(from: run.lowerBound, to: run.upperBound - 1, by: 2) {
            pairCount += 1
            if (0xB0...0xD7).contains(bytes[index]), bytes[index + 1] >= 0xA1 {
                commonPairCount += 1
            }
        }
        for index in run where Self.polish.contains(bytes[index]) {
            let neighbours = [index - 1, index + 1].map(letter(at:))
            // A Cyrillic word has no other letters in it.
            if !neighbours.contains(nil), neighbours.contains(.latin) { hasPolishLetter = true }
        }
    }

    private enum Letter {
        case latin, beyondASCII
    }

    private func letter(at index: Int) -> Letter? {
        guard bytes.indices.contains(index) else { return nil }
        let byte = bytes[index]
        if byte < 0x80 { return (0x41...0x5A).contains(byte & 0xDF) ? .latin : nil }
        return byte >= 0xC0 ? .beyondASCII : nil
    }

    /// £, ¯, ³, ¹ and ¿ in windows-1252, which stand in no word; letters in windows-1250.
    private static let polish: Set<UInt8> = [0xA3, 0xAF, 0xB3, 0xB9, 0xBF]
}
