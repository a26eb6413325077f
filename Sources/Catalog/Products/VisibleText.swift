import Foundation
import WireText

/// Texts as they look: what a spreadsheet, a web page or a clipboard adds to a code cannot be seen.
enum VisibleText {
    /// The code without characters that cannot be seen, with plain blanks and digits, composed (NFC).
    static func code(_ written: String) -> String {
        if written.utf8.allSatisfy({ $0 < 0x80 }) { return written }
        var scalars = String.UnicodeScalarView()
        for scalar in written.unicodeScalars {
            if let scalar = plain(scalar) { scalars.append(scalar) }
        }
        return composed(String(scalars)).trimmingCharacters(in: .whitespaces)
    }

    /// The text with composed letters (NFC), as `Ä` in place of `A` and two dots.
    static func composed(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
    }

    /// Whether a code stays as it is.
    static func isPlain(_ written: String) -> Bool {
        code(written).utf8.elementsEqual(written.utf8)
    }

    /// The plain character for one that looks like it; nil if it cannot be seen at all.
    static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        if scalar.isASCII { return scalar }
        if Escaping.isUnsafe(scalar) { return nil }
        // Full-width letters, digits and punctuation stand in the order of ASCII.
        if (0xFF01...0xFF5E).contains(scalar.value) {
            return Unicode.Scalar(scalar.value - 0xFEE0)
        }
        if scalar.properties.isWhitespace { return " " }
        guard scalar.properties.numericType == .decimal else { return scalar }
        return scalar.properties.numericValue.flatMap { Unicode.Scalar(UInt8(0x30 + Int($0))) }
    }
}
