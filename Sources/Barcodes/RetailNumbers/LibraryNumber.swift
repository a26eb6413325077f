/// The number of a library's item or patron: 14 digits in a Codabar.
///
/// The first digit says what it is, the next four name the library, the last is a check digit. Some
/// scanners send the letters that start and stop a Codabar.
public struct LibraryNumber: Hashable, Sendable {
    /// The 14 digits.
    public let digits: String

    /// Reads a number.
    ///
    /// - Parameter text: 14 digits that start with 2 or 3, or such between a start and a stop letter:
    ///   A to D, or T, N, `*` and E, which mean the same.
    public init?(_ text: String) {
        var digits = Substring(text)
        if let first = digits.first, let last = digits.last, Self.isLetter(first, last) {
            digits = digits.dropFirst().dropLast()
        }
        guard digits.utf8.count == 14, digits.hasPrefix("2") || digits.hasPrefix("3"),
            CheckDigit.isLuhn(digits)
        else { return nil }
        self.digits = String(digits)
    }

    /// Whether the number is that of a patron and not of an item.
    public var isOfPatron: Bool { digits.hasPrefix("2") }

    /// The parts.
    var fields: [DataField] {
        [
            DataField(isOfPatron ? "patron" : "item", digits.dropFirst(5).dropLast()),
            DataField("library", digits.dropFirst().prefix(4)),
        ]
    }

    private static func isLetter(_ first: Character, _ last: Character) -> Bool {
        let letters = "ABCDTN*E"
        return letters.contains(first) && letters.contains(last)
            || letters.lowercased().contains(first) && letters.lowercased().contains(last)
    }
}

extension CheckDigit {
    /// Whether the sum of the digits, every second from the right doubled and its digits added, ends
    /// in 0.
    ///
    /// Rule: ISO/IEC 7812-1, annex B.
    static func isLuhn(_ digits: some StringProtocol) -> Bool {
        var sum = 0
        for (place, digit) in digits.utf8.reversed().enumerated() {
            guard digit.isDigit else { return false }
            let value = digit.digitValue << (place & 1)
            sum += value / 10 + value % 10
        }
        return !digits.isEmpty && sum % 10 == 0
    }
}

extension BarcodeDecoder {
    /// A library's number in a Codabar, or with nothing that says which symbol it was.
    func libraryNumber(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        guard (14...16).contains(scanned.text.utf8.count), aim?.symbology ?? .codabar == .codabar,
            let number = LibraryNumber(scanned.text)
        else { return nil }
        var reading = Reading(.library, symbology: .codabar, checkDigit: .valid)
        reading.number = number.digits
        reading.fields = number.fields
        return reading
    }
}
