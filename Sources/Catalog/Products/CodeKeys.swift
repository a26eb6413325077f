import Barcodes
import Foundation
import WireText

/// The keys under which lookups find a catalog's code.
///
/// The key of a valid GTIN is its 14 digits; the key of any other code is its text in NFC. Some codes have a second
/// key: for eight digits that are both a GTIN-8 and a UPC-E, the UPC-E's GTIN; for a German pharmacy number (PZN), its
/// NTIN; for a library number with start and stop letters, its digits.
package struct CodeKeys: Equatable {
    /// The first key: the 14 digits of the code's GTIN, or the code's text in NFC if it has no GTIN.
    package let first: String
    package let others: [String]

    /// Creates the keys of a code, ignoring spaces and hyphens in numbers of 12 to 14 digits.
    package init(_ code: String) {
        let digits = Self.digits(of: code)
        let gtin = digits.flatMap { try? GTIN($0) }
        let expanded = digits.flatMap { GTIN(upcE: $0) }
        let first = (gtin ?? expanded)?.text ?? VisibleText.composed(code)
        self.first = first
        guard gtin == nil || code.utf8.count != 13 else {
            others = []
            return
        }
        others = [expanded?.text, PZN(code: code)?.ntin.text, LibraryNumber(code)?.digits]
            .compactMap(\.self).filter { $0 != first }
    }

    package var all: [String] { [first] + others }

    /// Returns 8 digits unchanged, or 12 to 14 digits after removing spaces and hyphens; nil for any other code.
    package static func digits(of code: String) -> String? {
        let length = code.utf8.count
        guard (8...24).contains(length) else { return nil }
        if code.utf8.allSatisfy(\.isDigit) {
            return length == 8 || (12...14).contains(length) ? code : nil
        }
        guard code.utf8.allSatisfy({ $0.isDigit || $0 == 0x20 || $0 == 0x2D }) else { return nil }
        let digits = code.filter { $0 != " " && $0 != "-" }
        return (12...14).contains(digits.utf8.count) ? digits : nil
    }
}

/// Normalisation of text, such as the removal of invisible characters from codes.
enum VisibleText {
    /// Converts a code to NFC with ASCII digits and spaces; removes invisible non-ASCII characters.
    static func code(_ written: String) -> String {
        if written.utf8.allSatisfy({ $0 < 0x80 }) { return written }
        let scalars = written.unicodeScalars.compactMap(plain)
        return composed(String(String.UnicodeScalarView(scalars)))
            .trimmingCharacters(in: .whitespaces)
    }

    /// Returns the text in NFC, with `Ä` as one character instead of `A` and a combining diaeresis.
    static func composed(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
    }

    /// Converts a character to ASCII if possible; nil if it is an invisible non-ASCII character.
    static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        if scalar.isASCII { return scalar }
        if Escaping.isUnsafe(scalar) { return nil }
        // Full-width letters, digits and punctuation have the order of ASCII.
        if (0xFF01...0xFF5E).contains(scalar.value) { return Unicode.Scalar(scalar.value - 0xFEE0) }
        if scalar.properties.isWhitespace { return " " }
        guard scalar.properties.numericType == .decimal else { return scalar }
        return scalar.properties.numericValue.flatMap { Unicode.Scalar(UInt8(0x30 + Int($0))) }
    }
}
