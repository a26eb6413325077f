extension Escaping {
    /// The escapes that are read, for a sentence that names them.
    package static let forms = #"\\ \" \t \n \r \0 \x1d \u001d \U0000001d \u{1d}"#

    /// Reads a text in which characters may be escaped: what ``line`` and ``quoted`` write, and also
    /// `\0` and `\u{H…}`.
    ///
    /// - Parameter text: The text.
    /// - Returns: The text that is meant; `nil` where an escape is cut, unknown or no character.
    public static func unescaped(_ text: String) -> String? {
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\\" else {
                result.append(scalar)
                continue
            }
            guard let meant = popEscaped(from: &rest) else { return nil }
            result.append(meant)
        }
        return String(result)
    }

    /// Takes the escape after a backslash off the text; nil if it is cut, unknown or no character.
    package static func popEscaped(
        from rest: inout Substring.UnicodeScalarView
    ) -> Unicode.Scalar? {
        switch rest.popFirst() {
        case "\\": "\\"
        case "\"": "\""
        case "t": "\t"
        case "n": "\n"
        case "r": "\r"
        case "0": "\0"
        case "x": popHexadecimal(2, from: &rest)
        case "u": rest.first == "{" ? popBraced(from: &rest) : popHexadecimal(4, from: &rest)
        case "U": popHexadecimal(8, from: &rest)
        default: nil
        }
    }

    /// Reads one to eight digits in braces.
    private static func popBraced(
        from rest: inout Substring.UnicodeScalarView
    ) -> Unicode.Scalar? {
        rest.removeFirst()
        let digits = rest.prefix(9).prefix { $0 != "}" }.count
        guard digits > 0, let scalar = popHexadecimal(digits, from: &rest),
            rest.popFirst() == "}"
        else { return nil }
        return scalar
    }

    private static func popHexadecimal(
        _ digits: Int, from rest: inout Substring.UnicodeScalarView
    ) -> Unicode.Scalar? {
        var value: UInt64 = 0
        for _ in 0..<digits {
            guard let digit = rest.popFirst(), digit.isASCII,
                let number = Character(digit).hexDigitValue
            else { return nil }
            value = value << 4 | UInt64(number)
        }
        return UInt32(exactly: value).flatMap(Unicode.Scalar.init)
    }
}
