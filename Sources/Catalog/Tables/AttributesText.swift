/// Attributes as a column keeps them: a JSON object of texts, sorted by name.
enum AttributesText {
    /// The object's text, nil where there is nothing in it.
    static func json(_ attributes: [String: String]) -> String? {
        guard !attributes.isEmpty else { return nil }
        let names = attributes.keys.sorted {
            $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars)
        }
        var json = ""
        for name in names {
            json += json.isEmpty ? "{" : ","
            append(name, to: &json)
            json += ":"
            append(attributes[name] ?? "", to: &json)
        }
        return json + "}"
    }

    /// The attributes in an object's text; what is no text in it is left out.
    static func attributes(json: String?) -> [String: String] {
        var texts = JSONTexts(json ?? "")
        var attributes: [String: String] = [:]
        while let name = texts.next(), let value = texts.next() { attributes[name] = value }
        return attributes
    }

    private static func append(_ text: String, to json: inout String) {
        json += "\""
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }) {
            json += text
        } else {
            for scalar in text.unicodeScalars { append(scalar, to: &json) }
        }
        json += "\""
    }

    private static func append(_ scalar: Unicode.Scalar, to json: inout String) {
        switch scalar {
        case "\"": json += "\\\""
        case "\\": json += "\\\\"
        case "\u{0}"..."\u{1F}":
            let digits = String(scalar.value, radix: 16)
            json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: json.unicodeScalars.append(scalar)
        }
    }
}

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
