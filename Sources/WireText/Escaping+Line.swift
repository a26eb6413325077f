extension Escaping {
    /// Undoes the escaping of the line formats.
    ///
    /// - Parameter text: What ``line`` wrote.
    /// - Returns: The text before; `nil` where an escape is cut, unknown or no character.
    public static func unescapedLine(_ text: String) -> String? {
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

    private static func popEscaped(
        from rest: inout Substring.UnicodeScalarView
    ) -> Unicode.Scalar? {
        switch rest.popFirst() {
        case "\\": "\\"
        case "t": "\t"
        case "n": "\n"
        case "r": "\r"
        case "x": popHexadecimal(2, from: &rest)
        case "u": popHexadecimal(4, from: &rest)
        case "U": popHexadecimal(8, from: &rest)
        default: nil
        }
    }

    private static func popHexadecimal(
        _ digits: Int, from rest: inout Substring.UnicodeScalarView
    ) -> Unicode.Scalar? {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let digit = rest.popFirst(), digit.isASCII,
                let number = Character(digit).hexDigitValue
            else { return nil }
            value = value << 4 | UInt32(number)
        }
        return Unicode.Scalar(value)
    }
}
