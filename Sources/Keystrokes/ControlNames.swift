/// How a scanner spells out control characters.
public enum ControlNames: String, Hashable, Sendable, CaseIterable {
    /// Names in angle brackets, such as `<GS>`.
    case angle
    /// Names in braces, such as `{GS}`.
    case braces

    private var opening: Unicode.Scalar { self == .angle ? "<" : "{" }
    private var closing: Unicode.Scalar { self == .angle ? ">" : "}" }

    package var brackets: [Unicode.Scalar] { [opening, closing] }

    /// The names of U+0000 to U+001F in order, then the name of U+007F.
    ///
    /// Rule: ISO/IEC 646 (ASCII), the abbreviations of the control characters.
    private static let names = [
        "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR",
        "SO", "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB",
        "ESC", "FS", "GS", "RS", "US", "DEL",
    ]

    /// The length of the longest spelling, such as `<NUL>`, including the brackets.
    static let longestSpelling = 5

    func spelling(of scalar: Unicode.Scalar) -> String? {
        let index = scalar.value == 0x7F ? 32 : Int(scalar.value)
        guard index < 32 || scalar.value == 0x7F else { return nil }
        return String(opening) + Self.names[index] + String(closing)
    }

    /// Returns the text with names such as `<GS>` replaced by control characters.
    func resolved(_ text: Substring) -> Substring {
        guard text.unicodeScalars.contains(opening) else { return text }
        var result = Substring.UnicodeScalarView()
        var rest = text.unicodeScalars
        while let scalar = rest.first {
            if scalar == opening, let (control, length) = control(at: rest) {
                result.append(control)
                rest = rest.dropFirst(length)
            } else {
                result.append(scalar)
                rest = rest.dropFirst()
            }
        }
        return Substring(result)
    }

    private func control(
        at text: Substring.UnicodeScalarView
    ) -> (Unicode.Scalar, length: Int)? {
        let inside = text.dropFirst().prefix(Self.longestSpelling - 1)
        guard let end = inside.firstIndex(of: closing) else { return nil }
        let name = String(Substring(inside[..<end]))
        guard let index = Self.names.firstIndex(of: name),
            let control = Unicode.Scalar(UInt32(index == 32 ? 0x7F : index))
        else { return nil }
        return (control, name.unicodeScalars.count + 2)
    }
}
