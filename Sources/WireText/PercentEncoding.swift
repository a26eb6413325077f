/// The percent-encoding of URIs.
///
/// Rule: RFC 3986, sections 2.1 to 2.4.
package enum PercentEncoding {
    /// Why a text is not well encoded.
    package enum Fault: Equatable, Sendable {
        /// A percent sign without two hexadecimal digits; 0-based, in bytes.
        case percentSign(offset: Int)
        /// A character that is not allowed unencoded; 0-based, in bytes.
        case character(Unicode.Scalar, offset: Int)
    }

    /// Encodes a text so that it can be anywhere in a URI; `others` are ASCII characters that stay.
    package static func encoded(_ text: String, keeping others: StaticString = "") -> String {
        // Most codes are digits.
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

    /// Decodes a text as far as it can be: a percent sign without two digits stands for itself, and
    /// bytes that are no UTF-8 become U+FFFD.
    package static func decoded(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let meant = value(rest) {
                bytes.append(meant)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes a text; nil if a percent sign lacks its two digits, or if the bytes are no UTF-8.
    ///
    /// A guess could look up another code. In a query a `+` is a space (URL Standard, section 5.1).
    package static func strictlyDecoded(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let meant = value(rest) else { return nil }
                bytes.append(meant)
                rest = rest.dropFirst(2)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Finds the first byte that cannot be in an encoded text, in which `allowed` bytes may be as they are.
    package static func fault(
        in text: some StringProtocol, allowing allowed: (UInt8) -> Bool
    ) -> Fault? {
        let bytes = text.utf8
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let isEscape = bytes[index] == UInt8(ascii: "%")
            guard isEscape || allowed(bytes[index]) else {
                let offset = bytes.distance(from: bytes.startIndex, to: index)
                return .character(text.unicodeScalars[index], offset: offset)
            }
            bytes.formIndex(after: &index)
            guard isEscape else { continue }
            guard value(Substring(text[index...]).utf8) != nil else {
                let offset = bytes.distance(from: bytes.startIndex, to: index) - 1
                return .percentSign(offset: offset)
            }
            index = bytes.index(index, offsetBy: 2)
        }
        return nil
    }

    /// Says whether a byte is one of the letters, the digits, `-`, `.`, `_` and `~`.
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

    /// The byte that the two digits at the beginning stand for.
    private static func value(_ text: Substring.UTF8View) -> UInt8? {
        guard let high = text.first.flatMap(value), let low = text.dropFirst().first.flatMap(value)
        else { return nil }
        return high << 4 | low
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
