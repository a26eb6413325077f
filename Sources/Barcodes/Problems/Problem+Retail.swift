extension Problem {
    /// A check digit that does not fit.
    static func wrongCheckDigit(_ text: String, _ digits: Digits) -> Problem {
        Problem(
            code: .wrongCheckDigit, severity: .error,
            message: "\"\(text)\" has a wrong check digit: "
                + "expected \(digits.expectedCheckDigit), got \(digits.last).",
            span: digits.count - 1..<digits.count)
    }

    /// A check digit or character that does not fit, of a code that is no number of GS1's.
    static func wrongCheck(
        _ code: Code, of text: String, expected: Character? = nil, found: Character? = nil
    ) -> Problem {
        let difference = expected.map { ": expected \"\($0)\", got \"\(found ?? "?")\"" } ?? ""
        return Problem(
            code: code, severity: .error,
            message: "\"\(text)\" has a wrong check "
                + (code == .wrongCheckDigit ? "digit" : "character") + difference + ".")
    }

    /// A text of another length than its symbology carries.
    static func wrongLength(_ text: String, expected: String, found: Int) -> Problem {
        Problem(
            code: .wrongLength, severity: .error,
            message: "\"\(text)\" has a wrong length: expected \(expected), got \(found).",
            span: 0..<found)
    }

    /// A text that should be some digits, but holds another character or is of another length.
    static func notDigits(_ text: String, expected: Int) -> Problem {
        guard let offset = text.utf8.enumerated().first(where: { !$0.element.isDigit })?.offset
        else {
            return wrongLength(text, expected: "\(expected) digits", found: text.utf8.count)
        }
        return Problem(
            code: .wrongCharacter, severity: .error,
            message: "\"\(text)\" has a wrong character: expected only digits, "
                + "got another character at offset \(offset).",
            span: offset..<offset + 1)
    }

    /// A text that can be read in several ways.
    static func ambiguous(_ text: String, _ reading: Reading) -> Problem {
        let others = reading.alternatives.map(\.name).joined(separator: " or ")
        return Problem(
            code: .ambiguous, severity: .warning,
            message: "\"\(text)\" can be read in several ways: taken as \(reading.name), "
                + "could be \(others).")
    }

    /// An AIM identifier that is none.
    static func invalidAIMIdentifier(_ aim: String) -> Problem {
        Problem(
            code: .invalidAIMIdentifier, severity: .warning,
            message: "\"\(aim)\" is no AIM identifier: expected ], a letter and a digit or letter.",
            span: nil)
    }

    /// A number that GS1 uses for demonstrations.
    static func demonstrationNumber(_ gtin: GTIN) -> Problem {
        Problem(
            code: .demonstrationNumber, severity: .warning,
            message: "\"\(gtin)\" is a number for demonstrations: expected a product's, "
                + "got GS1's prefix 952.")
    }

    /// A number with a prefix that GS1 gives to nobody.
    static func reservedPrefix(_ gtin: GTIN) -> Problem {
        Problem(
            code: .reservedPrefix, severity: .warning,
            message: "\"\(gtin)\" is no product's number: expected a prefix that GS1 assigns, "
                + "got the reserved \(gtin.text.dropFirst().prefix(3)).")
    }

    /// Whether the content breaks no rule for sure.
    var isWarning: Bool { severity == .warning }
}

extension Reading {
    /// The reading in a few words, for instance `upc-a 00071486028765 with add-on 17`.
    fileprivate var name: String {
        let value = inStore?.price.map { "price \($0)" } ?? inStore?.weight.map { "weight \($0)" }
        let parts = [
            symbology?.rawValue ?? (kind == .text ? nil : kind.rawValue), gtin?.text, number, value,
            addOn.map { "with add-on \($0)" },
        ]
        return (kind == .text ? "just the number " : "")
            + parts.compactMap(\.self).joined(separator: " ")
    }
}
