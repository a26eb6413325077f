/// The percent-encoding of URIs.
///
/// Rule: RFC 3986, sections 2.1 to 2.4.
enum PercentEncoding {
    /// Appends a text, everything but unreserved characters encoded.
    static func append(_ text: String, to uri: inout String) {
        // Most codes are digits.
        guard !text.utf8.allSatisfy(isUnreserved) else {
            uri += text
            return
        }
        for byte in text.utf8 {
            if isUnreserved(byte) {
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                appendEscape(of: byte, to: &uri)
            }
        }
    }

    /// A text with everything but unreserved characters encoded.
    static func encoded(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isUnreserved) else { return text }
        var result = ""
        append(text, to: &result)
        return result
    }

    /// Decodes a text; bytes that are no UTF-8 become U+FFFD.
    static func decoded(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), let high = rest.first.flatMap(value),
                let low = rest.dropFirst().first.flatMap(value)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(high << 4 | low)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Finds the first byte that cannot stand in an encoded text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - allowed: Says which bytes may stand there unencoded.
    /// - Returns: What is wrong, its offset counted from the start of `text`; `nil` if nothing is.
    static func problem(
        in text: some StringProtocol, allowing allowed: (UInt8) -> Bool
    ) -> AddressError.Problem? {
        var escape = 0
        var escapeOffset = 0
        for (offset, byte) in text.utf8.enumerated() {
            if escape > 0 {
                guard value(byte) != nil else { return .percentSign(offset: escapeOffset) }
                escape -= 1
            } else if byte == UInt8(ascii: "%") {
                (escape, escapeOffset) = (2, offset)
            } else if !allowed(byte) {
                return .character(scalar(of: text, at: offset), offset: offset)
            }
        }
        return escape > 0 ? .percentSign(offset: escapeOffset) : nil
    }

    /// Letters, digits, `-`, `.`, `_` and `~`.
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// What may stand in a path, besides percent-encoded bytes.
    static func isPathCharacter(_ byte: UInt8) -> Bool {
        isUnreserved(byte) || "!$&'()*+,;=:@/".utf8.contains(byte)
    }

    /// What may stand in a query, besides percent-encoded bytes.
    static func isQueryCharacter(_ byte: UInt8) -> Bool {
        isPathCharacter(byte) || byte == UInt8(ascii: "?")
    }

    private static func scalar(of text: some StringProtocol, at offset: Int) -> Unicode.Scalar {
        let index = text.utf8.index(text.startIndex, offsetBy: offset)
        return text.unicodeScalars[index]
    }

    private static func appendEscape(of byte: UInt8, to uri: inout String) {
        uri.unicodeScalars.append("%")
        uri.unicodeScalars.append(digit(byte >> 4))
        uri.unicodeScalars.append(digit(byte & 15))
    }

    private static func digit(_ value: UInt8) -> Unicode.Scalar {
        Unicode.Scalar(value < 10 ? value + 0x30 : value + 0x37)
    }

    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 0x30
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - 0x37
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - 0x57
        default: nil
        }
    }
}
