/// Percent-encodes and decodes text for URIs.
///
/// Rule: RFC 3986, sections 2.1 to 2.4.
package enum PercentEncoding {
    /// Encodes all bytes except unreserved characters and the ASCII characters in `others`.
    package static func encoded(_ text: String, keeping others: StaticString = "") -> String {
        // Most codes are digits, which need no encoding.
        guard !text.utf8.allSatisfy({ isKept($0, others) }) else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count * 3)
        for byte in text.utf8 {
            if isKept(byte, others) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Decodes text; keeps invalid percent escapes, and replaces invalid UTF-8 with U+FFFD.
    package static func decoded(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        return String(decoding: bytes(of: Substring(text)).bytes, as: UTF8.self)
    }

    /// Decodes text; returns nil if a percent sign lacks its two hexadecimal digits, or if the result is not UTF-8.
    ///
    /// Invalid text is not repaired, because a repaired code could be that of another product. Set `plusIsSpace` for
    /// queries, in which a `+` means a space (URL Standard, section 5.1).
    package static func strictlyDecoded(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        let (bytes, isWellEncoded) = bytes(of: text, plusIsSpace: plusIsSpace)
        return isWellEncoded ? String(validating: bytes, as: UTF8.self) : nil
    }

    private static func bytes(
        of text: Substring, plusIsSpace: Bool = false
    ) -> (bytes: [UInt8], isWellEncoded: Bool) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var isWellEncoded = true
        var rest = text.utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let meant = value(rest) {
                bytes.append(meant)
                rest = rest.dropFirst(2)
            } else {
                if byte == UInt8(ascii: "%") { isWellEncoded = false }
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return (bytes, isWellEncoded)
    }

    /// Finds the first mistake in percent-encoded text; nil if the text is correct.
    ///
    /// A mistake is a character that is not `allowed`, or a percent sign without two hexadecimal digits; for a percent
    /// sign, `character` is nil. The offset is in bytes, counted from 0.
    package static func fault(
        in text: Substring, allowing allowed: (UInt8) -> Bool
    ) -> (offset: Int, character: Unicode.Scalar?)? {
        var (offset, percentSign, missingDigits) = (-1, 0, 0)
        for byte in text.utf8 {
            offset += 1
            if missingDigits > 0 {
                guard byte.hexadecimalValue != nil else { break }
                missingDigits -= 1
            } else if byte == UInt8(ascii: "%") {
                (percentSign, missingDigits) = (offset, 2)
            } else if !allowed(byte) {
                let index = text.utf8.index(text.startIndex, offsetBy: offset)
                return (offset, text.unicodeScalars[index])
            }
        }
        return missingDigits > 0 ? (percentSign, nil) : nil
    }

    /// Whether a byte needs no encoding anywhere in a URI: an ASCII letter, a digit, `-`, `.`, `_` or `~`.
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func isKept(_ byte: UInt8, _ others: StaticString) -> Bool {
        isUnreserved(byte) || others.withUTF8Buffer { $0.contains(byte) }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? value + UInt8(ascii: "0") : value - 10 + UInt8(ascii: "A")
    }

    /// Parses two hexadecimal digits; nil if the text does not start with them.
    private static func value(_ text: Substring.UTF8View) -> UInt8? {
        guard let high = text.first?.hexadecimalValue,
            let low = text.dropFirst().first?.hexadecimalValue
        else { return nil }
        return high << 4 | low
    }
}
