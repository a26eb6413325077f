/// Foreign text made fit for a message: shortened, and escaped so that no terminal obeys it.
enum Excerpt {
    /// The number of characters shown of a line.
    static let limit = 60

    /// The start of `bytes` in quotation marks.
    ///
    /// Bytes that are not UTF-8 show as U+FFFD.
    ///
    /// - Parameter bytes: A line.
    /// - Returns: At most ``limit`` characters, then `…` where something was left out.
    static func quoted(_ bytes: UnsafeRawBufferPointer) -> String {
        quoted(String(decoding: bytes.prefix(limit * 4 + 4), as: UTF8.self))
    }

    /// The start of `text` in quotation marks.
    ///
    /// - Parameter text: Any text.
    /// - Returns: At most ``limit`` characters, then `…` where something was left out.
    static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let shown = scalars.prefix(limit)
        let rest = shown.endIndex == scalars.endIndex ? "" : "…"
        return "\"" + escaped(String(shown)) + rest + "\""
    }

    /// `text` with every character escaped that could steer a terminal or deceive a reader.
    ///
    /// Escaped as `\u{…}` are control characters (C0, DEL, C1), line and paragraph separators and
    /// the bidirectional controls (Unicode's `Bidi_Control`).
    ///
    /// - Parameter text: Any text.
    /// - Returns: Text that is safe to print.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\t": result += "\\t"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case _ where isSteering(scalar):
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isSteering(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        default: scalar.properties.isBidiControl
        }
    }
}
