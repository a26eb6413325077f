extension Problem {
    var isWarning: Bool { severity == .warning }

    /// Creates a problem whose message has the form `what: expected …, got …`.
    init(
        _ severity: Severity, _ code: Code, _ what: String, expected: String, got: String,
        at span: Range<Int>? = nil
    ) {
        self.init(
            code: code, severity: severity, message: "\(what): expected \(expected), got \(got).",
            span: span)
    }
}

extension Problem {
    static func wrongCheckDigit(_ text: String, _ digits: Digits) -> Problem {
        Problem(
            .error, .wrongCheckDigit, "\"\(text)\" has a wrong check digit",
            expected: "\(digits.expectedCheckDigit)", got: "\(digits.last)",
            at: digits.count - 1..<digits.count)
    }

    /// Creates a problem for a wrong check digit or check character; the message ends with `difference`.
    static func wrongCheck(_ code: Code, of text: String, _ difference: String = "") -> Problem {
        let part = code == .wrongCheckDigit ? "digit" : "character"
        return Problem(
            code: code, severity: .error,
            message: "\"\(text)\" has a wrong check \(part)\(difference).")
    }

    static func notDigits(_ text: String, expected: Int) -> Problem {
        guard let offset = text.utf8.span.firstIndex(where: { !$0.isDigit }) else {
            let count = text.utf8.count
            return Problem(
                .error, .wrongLength, "\"\(text)\" has a wrong length",
                expected: "\(expected) digits", got: "\(count)", at: 0..<count)
        }
        return Problem(
            .error, .wrongCharacter, "\"\(text)\" has a wrong character", expected: "only digits",
            got: "another character at offset \(offset)", at: offset..<offset + 1)
    }

    static func ambiguous(_ text: String, _ reading: Reading) -> Problem {
        let others = reading.alternatives.map(\.name).joined(separator: " or ")
        return Problem(
            code: .ambiguous, severity: .warning,
            message: "\"\(text)\" can be read in several ways: taken as \(reading.name), "
                + "could be \(others).")
    }
}

extension Reading {
    /// The reading in a few words, for instance `upc-a 00071486028765 with add-on 17`.
    fileprivate var name: String {
        if kind == .text { return "just the number \(self.number ?? "")" }
        let system = [.gtin, .inStore].contains(kind) ? symbology?.rawValue : nil
        let inStore = self.inStore
        let value = inStore?.price.map { "price \($0)" } ?? inStore?.weight.map { "weight \($0)" }
        let parts = [
            system ?? kind.rawValue, gs1?.bracketed ?? gtin?.text ?? self.number, value,
            self.addOn.map { "with add-on \($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}

extension Problem {
    static func unknownAI(_ found: String, at: Int) -> Problem {
        Problem(
            .error, .unknownAI, "\"\(found)\" is invalid",
            expected: "an application identifier of GS1", got: "another text",
            at: at..<at + found.utf8.count)
    }

    static func gs1Suspect(_ text: String, _ suspicion: GS1Suspicion) -> Problem {
        let (condition, setting) =
            switch suspicion.separator {
            case .none: ("", "content: gs1")
            case .character(let scalar):
                (" if \"\(scalar)\" stands for FNC1", "substitutes: {\"\(scalar)\": \"\\u001d\"}")
            case .name(let name):
                (" if \"\(name.rawValue)\" stands for FNC1", "control_names: [\(name)]")
            }
        return Problem(
            .warning, .gs1Suspect, "\"\(text)\" reads as GS1 element strings\(condition)",
            expected: "an AIM identifier or FNC1",
            got: "neither (the scanner's setting \(setting) reads it)")
    }
}
