import Glibc
import WireText

/// All Unicode scalars, for tests that try every character.
package enum AllScalars {
    package static let all = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init)

    /// Texts that together contain all scalars: those of ``HostileTexts``, and others with up to 4096 scalars above the
    /// Basic Multilingual Plane.
    package static let texts: [String] = {
        let above = all.drop { $0.value <= 0xFFFF }
        return HostileTexts.all
            + stride(from: above.startIndex, to: above.endIndex, by: 4096).map { start in
                text(above[start..<min(start + 4096, above.endIndex)])
            }
    }()

    /// Texts of 48 scalars, which are short enough not to be cut in any message.
    ///
    /// If ``Thoroughness/isAskedFor``, they contain all scalars. Otherwise they contain ASCII, every 128th scalar, and
    /// the scalars at both ends of each range that is escaped.
    package static let shortTexts: [String] = {
        let isThorough = Thoroughness.isAskedFor
        let scalars = all.filter { scalar in
            scalar.isASCII || scalar.value % 128 == 0 || isThorough || isAtAnEdge(scalar)
        }
        return stride(from: 0, to: scalars.count, by: 48).map { start in
            text(scalars[start..<min(start + 48, scalars.count)])
        }
    }()

    /// The name of a scalar: `U+0041`.
    package static func name(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Finds characters that an output contains although they must be escaped.
    ///
    /// - Parameters:
    ///   - texts: The texts to write.
    ///   - lineBreaks: Whether the output can contain line feeds.
    ///   - written: Returns the output for a text.
    /// - Returns: The names of the characters; empty if all were escaped.
    package static func leaks(
        of texts: [String] = texts, lineBreaks: Bool = false,
        _ written: (String) throws -> String
    ) rethrows -> [String] {
        try texts.flatMap { text in
            try written(text).unicodeScalars.filter { scalar in
                (Escaping.isUnsafe(scalar) || HostileTexts.isForbidden(scalar))
                    && !(lineBreaks && scalar == "\n")
            }
        }.map(name)
    }

    /// Finds messages that do not contain a text exactly as `quoted()` returns it, or that are not fully escaped.
    ///
    /// - Parameters:
    ///   - texts: The texts, none of which is too long to be quoted in full.
    ///   - sentences: Returns the messages about a text; each must quote it.
    /// - Returns: The wrong messages; empty if there are none.
    package static func misquoted(
        of texts: [String] = shortTexts, _ sentences: (String) -> [String]
    ) -> [String] {
        texts.flatMap { text in
            let quoted = text.quoted()
            return sentences(text).filter { sentence in
                // Compares bytes, because a text can start with a mark that combines with the quotation mark.
                strstr(sentence, quoted) == nil || Escaping.sentence.escaped(sentence) != sentence
            }
        }
    }

    private static func isAtAnEdge(_ scalar: Unicode.Scalar) -> Bool {
        [scalar.value &- 1, scalar.value + 1].contains { neighbour in
            Unicode.Scalar(neighbour).map(Escaping.isUnsafe) != Escaping.isUnsafe(scalar)
        }
    }

    private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }
}
