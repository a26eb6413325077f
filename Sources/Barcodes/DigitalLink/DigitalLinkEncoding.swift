/// The percent-encoding of URIs.
///
/// Rule: RFC 3986, section 2.1.
enum DigitalLinkEncoding {
    /// Decodes some bytes; a percent sign without two hexadecimal digits stands for itself.
    static func decode(
        _ bytes: Span<UInt8>, _ range: Range<Int>, plusIsSpace: Bool
    ) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count)
        var at = range.lowerBound
        while at < range.upperBound {
            if bytes[at] == UInt8(ascii: "%"), at + 2 < range.upperBound,
                let high = bytes[at + 1].hexValue, let low = bytes[at + 2].hexValue
            {
                decoded.append(high << 4 | low)
                at += 3
            } else {
                let isSpace = plusIsSpace && bytes[at] == UInt8(ascii: "+")
                decoded.append(isSpace ? 0x20 : bytes[at])
                at += 1
            }
        }
        return decoded
    }

    /// Appends a text to a URI, all but unreserved characters encoded.
    static func append(_ text: String, to uri: inout String) {
        for byte in text.utf8 {
            if byte.isDigit || byte.isUpper || byte.isLower || "-._~".utf8.contains(byte) {
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                uri += "%"
                uri.unicodeScalars.append(hexDigit(byte >> 4))
                uri.unicodeScalars.append(hexDigit(byte & 15))
            }
        }
    }

    private static func hexDigit(_ value: UInt8) -> Unicode.Scalar {
        Unicode.Scalar(value < 10 ? value + 0x30 : value + 0x37)
    }
}
