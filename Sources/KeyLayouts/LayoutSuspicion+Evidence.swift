extension LayoutSuspicion.Evidence {
    /// Whether `reading` bears the evidence, and `text`, as it was read, does not.
    func isIn(_ reading: String, ratherThan text: String) -> Bool {
        switch self {
        case .aimIdentifier: Self.hasAIMIdentifier(reading, ratherThan: text)
        case .digits: Self.isNumber(reading) && !text.utf8.contains(where: Self.isDigit)
        case .knownKey: false
        case .webAddress: Self.isWebAddress(reading) && !Self.isWebAddress(text)
        }
    }

    /// `]`, a code letter and a modifier, and digits behind those of EAN and UPC.
    ///
    /// Rule: ISO/IEC 15424, section 4, for the shape and the letters. A health industry bar code
    /// (HIBC) begins with `+` and a letter, and is told by its check character.
    private static func hasAIMIdentifier(_ reading: String, ratherThan text: String) -> Bool {
        let bytes = Array(reading.utf8)
        guard bytes.count > 3, bytes[0] == UInt8(ascii: "]"), text.utf8.first != bytes[0],
            codeLetters.contains(bytes[1]), isModifier(bytes[2])
        else { return false }
        if bytes[1] == UInt8(ascii: "E"), !bytes[3...].allSatisfy(isDigit) { return false }
        return !isHealthIndustryCode(text)
    }

    /// Rule: ANSI/HIBC 2, supplier labelling: the last character is the sum of the others modulo 43,
    /// each counted by its place in the characters of Code 39.
    private static func isHealthIndustryCode(_ text: String) -> Bool {
        let places = text.unicodeScalars.map { code39.firstIndex(of: $0) }
        guard text.utf8.first == UInt8(ascii: "+"), let last = places.last, let last else {
            return false
        }
        let others = places.dropLast().compactMap(\.self)
        return others.count == places.count - 1 && others.reduce(0, +) % code39.count == last
    }

    private static let code39 = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%".unicodeScalars)

    private static let codeLetters = Set("ABCDEFGHIJKLMNOPQRSTUXZcdehopsz".utf8)

    private static func isModifier(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Eight digits or more, at least three of them different: a line of dashes is no number.
    private static func isNumber(_ text: String) -> Bool {
        text.utf8.count >= 8 && text.utf8.allSatisfy(isDigit) && Set(text.utf8).count >= 3
    }

    private static func isWebAddress(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start == "https://" || start.hasPrefix("http://")
    }
}
