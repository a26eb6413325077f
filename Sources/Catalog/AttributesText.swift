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
    static func attributes(json: String) -> [String: String] {
        var texts = JSONTexts(json)
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
