import TestTexts

/// Codes with characters that are special in URLs, JSON, HTML or SQL; the same codes in every run.
struct HostileCodes {
    /// The number of codes to try: `usual`, or 100,000 if ``Thoroughness/isAskedFor``.
    static func count(usual: Int) -> Int { Thoroughness.isAskedFor ? 100_000 : usual }

    private static let pieces: [String] = [
        "/", "..", "../", "\\", "?", "&", "=", "#", ";", "%", "%2f", "%00", "+", " ", "\r\n", "\n",
        "\u{0}", "\"", "'", "`", "{", "}", "{code}", "[", "]", "<", ">", "|", "^", "\u{7F}",
        "\u{85}", "\u{2028}", "\u{202E}", "\u{FEFF}", "é", "e\u{301}", "ß", "漢", "😀", "👩‍👩‍👧",
        "\u{10FFFF}", "\u{E000}", "OR 1=1", "--", "*", ":", "@", "$", "\t", "1", "42", "abc", "Z",
    ]

    private var random = SplitMix(seed: 7)

    /// Returns the next code, which consists of one to three pieces.
    mutating func next() -> String {
        let count = Int(random.next() % 3) + 1
        return (0..<count).map { _ in
            Self.pieces[Int(random.next() % UInt64(Self.pieces.count))]
        }.joined()
    }

    /// Decodes percent-encoded text, byte by byte.
    static func decoded(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                bytes.append(UInt8(Substring(rest.prefix(2)), radix: 16) ?? 0xFF)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
