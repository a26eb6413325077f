/// The number of a library item or patron: 14 digits in a Codabar symbol.
///
/// The first digit is 3 for an item and 2 for a patron, the next four identify the library, and the last
/// is a check digit. Some scanners also send the symbol's start and stop characters.
package struct LibraryNumber: Hashable, Sendable {
    package let digits: String

    /// Reads a number with or without start and stop characters; nil for any other text.
    package init?(_ text: String) {
        var digits = Substring(text)
        if text.utf8.count == 16, let first = text.first, let last = text.last,
            ["ABCDTN*E", "abcdtn*e"].contains(where: { $0.contains(first) && $0.contains(last) })
        {
            digits = digits.dropFirst().dropLast()
        }
        guard digits.utf8.count == 14, digits.hasPrefix("2") || digits.hasPrefix("3"),
            CheckDigit.isLuhn(digits.utf8)
        else { return nil }
        self.digits = String(digits)
    }
}

extension BarcodeDecoder {
    /// Reads a library number from a Codabar symbol, or from a symbol of unknown kind.
    func libraryNumber(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        guard aim?.symbology ?? .codabar == .codabar, let number = LibraryNumber(scanned.text)
        else { return nil }
        var reading = Reading(.library, symbology: .codabar, checkDigit: .valid)
        reading.number = number.digits
        let kind = number.digits.hasPrefix("2") ? "patron" : "item"
        reading.fields = [
            DataField(kind, number.digits.dropFirst(5).dropLast()),
            DataField("library", number.digits.dropFirst().prefix(4)),
        ]
        return reading
    }
}
