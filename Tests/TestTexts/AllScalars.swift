import Glibc
import WireText

/// Every character there is, for tables over all of them.
package enum AllScalars {
    /// All Unicode scalars.
    package static let all = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init)

    /// All of them as long texts: those of the Basic Multilingual Plane, whose escapes differ, 64 to
    /// a text with a letter behind each, and the others 4096 to a text.
    package static let texts: [String] = {
        let above = all.drop { $0.value <= 0xFFFF }
        return HostileTexts.all
            + stride(from: above.startIndex, to: above.endIndex, by: 4096).map { start in
                text(above[start..<min(start + 4096, above.endIndex)])
            }
    }()

    /// The same as texts so short that no message cuts them, for what is built upon the floor.
    ///
    /// Unless thoroughness is asked for, those of ASCII, the first and the last of each run of
    /// characters that are treated alike with their neighbours, and one of each 128.
    package static let shortTexts: [String] = {
        let isThorough = Thoroughness.isAskedFor
        let scalars = all.filter { scalar in
            scalar.isASCII || scalar.value % 128 == 0 || isThorough || isAtAnEdge(scalar)
        }
        return stride(from: 0, to: scalars.count, by: 48).map { start in
            text(scalars[start..<min(start + 48, scalars.count)])
        }
    }()

    /// The character as `U+0041`.
    package static func name(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// The characters that an outlet lets through although they are never to leave as they are.
    ///
    /// - Parameters:
    ///   - texts: What it is given.
    ///   - lineBreaks: Whether it may write line feeds of its own.
    ///   - written: What it writes for a text.
    /// - Returns: The characters' names, none where all is well.
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

    /// The texts that an error does not show as they are quoted, once: in words that are escaped
    /// twice, by another rule, or not at all.
    ///
    /// - Parameter sentences: What is written for a text, which must quote it.
    /// - Returns: The sentences that do not, none where all is well.
    package static func misquoted(_ sentences: (String) -> [String]) -> [String] {
        shortTexts.flatMap { text in
            let quoted = text.quoted()
            return sentences(text).filter { sentence in
                // Byte for byte: a text may begin with a mark that joins the quotation mark.
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
