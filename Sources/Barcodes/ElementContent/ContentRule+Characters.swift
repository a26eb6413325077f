/// A set of ASCII characters.
struct CharacterSet128 {
    private let low: UInt64
    private let high: UInt64

    /// The characters of a text; others than ASCII are ignored.
    init(_ text: String) {
        var low: UInt64 = 0
        var high: UInt64 = 0
        for byte in text.utf8 where byte < 128 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
        }
        self.low = low
        self.high = high
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        if byte < 64 { return low >> UInt64(byte) & 1 == 1 }
        return byte < 128 && high >> UInt64(byte - 64) & 1 == 1
    }
}

extension CharacterSet128 {
    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    private static let digits = "0123456789"

    /// GS1's character set 82.
    ///
    /// Rule: GS1 General Specifications, figure 7.11-1.
    static let cset82 = CharacterSet128(
        letters + letters.lowercased() + digits + "!\"%&'()*+,-./:;<=>?_")
    /// GS1's character set 39.
    ///
    /// Rule: GS1 General Specifications, figure 7.11-2.
    static let cset39 = CharacterSet128(letters + digits + "#-/")
    /// GS1's character set 64, without the padding.
    ///
    /// Rule: GS1 General Specifications, figure 7.11-3.
    static let cset64 = CharacterSet128(letters + letters.lowercased() + digits + "-_")
}

extension ContentRule {
    /// Checks that all characters are of a set.
    func characterViolation(in value: Span<UInt8>) -> Violation? {
        switch self {
        case .csetnumeric:
            return value.firstIndex { !$0.isDigit }.map {
                Violation(.wrongCharacter, $0..<$0 + 1, "a digit")
            }
        case .cset82: return Self.stranger(to: .cset82, "GS1's character set 82", in: value)
        case .cset39: return Self.stranger(to: .cset39, "GS1's character set 39", in: value)
        default: return Self.base64Violation(in: value)
        }
    }

    private static func stranger(
        to set: CharacterSet128, _ name: String, in value: Span<UInt8>
    ) -> Violation? {
        value.firstIndex { !set.contains($0) }.map {
            Violation(.wrongCharacter, $0..<$0 + 1, "a character of \(name)")
        }
    }

    /// Base64 for file names, of which the padding may be left out.
    private static func base64Violation(in value: Span<UInt8>) -> Violation? {
        var end = value.count
        while end > 0, value[end - 1] == UInt8(ascii: "=") { end -= 1 }
        let padding = value.count - end
        if padding > 2 || padding > 0 && value.count % 3 != 0 {
            return Violation(
                .wrongCharacter, end..<value.count, "no or one or two characters = as padding")
        }
        return stranger(to: .cset64, "GS1's character set 64", in: value.extracting(0..<end))
    }
}
