import WireText

/// Every character there is, for a table over all of them.
package enum AllScalars {
    /// All Unicode scalars.
    package static let all = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init)

    /// All of them as texts: those of the Basic Multilingual Plane, whose escapes differ, 64 to a
    /// text with a letter behind each, and the others 4096 to a text.
    package static let texts: [String] = {
        let above = all.drop { $0.value <= 0xFFFF }
        let tags = above.drop { $0.value < 0xE0000 }.prefix { $0.value < 0xE1000 }
        return HostileTexts.all
            + stride(from: above.startIndex, to: above.endIndex, by: 4096).map { start in
                text(above[start..<min(start + 4096, above.endIndex)])
            } + [text(tags)]
    }()

    /// The character as `U+0041`.
    package static func name(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// The characters that an outlet lets through although they are never to leave as they are.
    ///
    /// - Parameters:
    ///   - lineBreaks: Whether it may write line feeds of its own.
    ///   - written: What the outlet writes for a text.
    /// - Returns: The characters' names, none where all is well.
    package static func leaks(
        lineBreaks: Bool = false, _ written: (String) throws -> String
    ) rethrows -> [String] {
        try texts.flatMap { text in
            try written(text).unicodeScalars.filter { scalar in
                (Escaping.isUnsafe(scalar) || HostileTexts.isForbidden(scalar))
                    && !(lineBreaks && scalar == "\n")
            }
        }.map(name)
    }

    private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }
}
