/// The percent-encoding of URIs, read strictly.
///
/// Rule: RFC 3986, section 2.1; in a query `+` stands for a space (URL Standard, section 5.1).
enum PercentDecoding {
    /// Decodes a part of a URI.
    ///
    /// - Parameters:
    ///   - text: The part, between its delimiters.
    ///   - plusIsSpace: Whether it is of a query.
    /// - Returns: The text; nil where a percent sign lacks its two hexadecimal digits, or where the
    ///   bytes are no UTF-8: a wrong guess would look up another code.
    static func decoded(_ text: Substring, plusIsSpace: Bool) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(value),
                    let low = rest.popFirst().flatMap(value)
                else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Encodes a text so that it can stand anywhere in a URI.
    ///
    /// - Parameter text: Any text.
    /// - Returns: The text, all but unreserved characters encoded (RFC 3986, section 2.3).
    static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return result
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
