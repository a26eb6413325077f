extension JSONReader {
    /// Reads a text in quotes, as RFC 8259 section 7 has it.
    mutating func string() throws(JSONSyntaxError) -> String {
        index += 1
        let start = index
        skipPlain()
        if peek == UInt8(ascii: "\"") {
            guard let string = String(validating: bytes[start..<index], as: UTF8.self) else {
                throw error(.notUTF8, at: start)
            }
            index += 1
            return string
        }
        var text = Array(bytes[start..<index])
        while let byte = peek, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw unexpected("a character, '\\' or '\"'") }
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            text.append(contentsOf: String(try escape()).utf8)
        }
        guard peek != nil else { throw unexpected("'\"'") }
        index += 1
        guard let string = String(validating: text, as: UTF8.self) else {
            throw error(.notUTF8, at: start)
        }
        return string
    }

    /// Goes over all that stands for itself.
    private mutating func skipPlain() {
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
            index += 1
        }
    }

    /// Reads what follows a backslash.
    private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = index - 1
        guard let byte = peek else { throw unexpected("an escape") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(from: start)
        default: throw error(.wrongEscape, at: start)
        }
    }

    /// Reads the digits of one escape, or of the two that make a surrogate pair.
    private mutating func unicodeEscape(
        from start: Int
    ) throws(JSONSyntaxError) -> Unicode.Scalar {
        let unit = try fourDigits()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard UTF16.isLeadSurrogate(unit), peek == UInt8(ascii: "\\"), index + 1 < bytes.count,
            bytes[index + 1] == UInt8(ascii: "u")
        else { throw error(.loneSurrogate, at: start) }
        index += 2
        let trail = try fourDigits()
        guard UTF16.isTrailSurrogate(trail) else { throw error(.loneSurrogate, at: start) }
        return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
    }

    private mutating func fourDigits() throws(JSONSyntaxError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw unexpected("a hexadecimal digit")
            }
            index += 1
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}
