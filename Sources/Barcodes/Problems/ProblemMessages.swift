extension Problem {
    /// Whether the content breaks no rule for sure.
    var isWarning: Bool { severity == .warning }

    /// A problem in the usual words: `what: expected …, got ….`
    private init(
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

    /// A check digit or character that does not fit, of a code that is no number of GS1's.
    static func wrongCheck(_ code: Code, of text: String, _ difference: String = "") -> Problem {
        let part = code == .wrongCheckDigit ? "digit" : "character"
        return Problem(
            code: code, severity: .error, message: "\"\(text)\" has a wrong check \(part)\(difference).")
    }

    /// A check digit of price, weight or count that does not fit.
    static func wrongPriceCheckDigit(
        _ text: String, expected: Int, found: Int, at place: Int
    ) -> Problem {
        Problem(
            .error, .wrongPriceCheckDigit,
            "\"\(text)\" has a wrong check digit of price or weight", expected: "\(expected)",
            got: "\(found)", at: place..<place + 1)
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

    static func invalidAIMIdentifier(_ aim: String) -> Problem {
        Problem(
            code: .invalidAIMIdentifier, severity: .warning,
            message: "\"\(aim)\" is no AIM identifier: "
                + "expected ], a letter and a digit or letter.")
    }

    static func demonstrationNumber(_ gtin: GTIN) -> Problem {
        Problem(
            .warning, .demonstrationNumber, "\"\(gtin)\" is a number for demonstrations",
            expected: "a product's", got: "GS1's prefix 952")
    }

    static func reservedPrefix(_ gtin: GTIN) -> Problem {
        Problem(
            .warning, .reservedPrefix, "\"\(gtin)\" is no product's number",
            expected: "a prefix that GS1 assigns",
            got: "the reserved \(gtin.text.dropFirst().prefix(3))")
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

/// Element strings.
extension Problem {
    static func violation(
        _ violation: ContentRule.Violation, _ ai: ApplicationIdentifier, _ value: String,
        _ found: String, _ span: Range<Int>
    ) -> Problem {
        Problem(
            .error, violation.code, "\"\(value)\" in (\(ai)) is invalid",
            expected: violation.expected,
            got: violation.code == .wrongLength ? "\(violation.range.count)" : "\"\(found)\"",
            at: span)
    }

    static func unknownAI(_ found: String, at: Int) -> Problem {
        Problem(
            .error, .unknownAI, "\"\(found)\" at offset \(at) is invalid",
            expected: "an application identifier of GS1", got: "another text",
            at: at..<at + found.utf8.count)
    }

    static func misplacedFNC1(at: Int) -> Problem {
        Problem(
            .error, .misplacedFNC1, "The separator at offset \(at) is misplaced",
            expected: "an application identifier", got: "FNC1", at: at..<at + 1)
    }

    static func fnc1MissingSuspect(
        _ ai: ApplicationIdentifier, _ bytes: Span<UInt8>, _ range: Range<Int>, rest: Int
    ) -> Problem {
        let span = rest..<range.upperBound
        return Problem(
            .warning, .fnc1MissingSuspect, "\"\(bytes.string(range))\" in (\(ai)) is suspect",
            expected: "FNC1 ahead of \"\(bytes.string(span))\", which reads as element strings",
            got: "none", at: span)
    }

    /// A message whose fields run together.
    static let separatorsLost = Problem(
        .warning, .fnc1MissingSuspect, "The fields of the label run together",
        expected: "RS after \"[)>\" and GS between the fields",
        got: "none. Set the scanner to send control characters")

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

    static func repeatedAIDiffers(
        _ ai: ApplicationIdentifier, _ first: String, _ second: GS1Element
    ) -> Problem {
        Problem(
            .error, .repeatedAIDiffers, "(\(ai)) comes twice", expected: "\"\(first)\" again",
            got: "\"\(second.value)\"", at: second.source)
    }

    static func exclusivePair(_ element: GS1Element, _ other: GS1Element) -> Problem {
        Problem(
            .error, .exclusivePair, "(\(element.ai)) and (\(other.ai)) exclude each other",
            expected: "one of them", got: "both", at: element.source)
    }

    static func requisiteMissing(_ element: GS1Element, rule: Int) -> Problem {
        Problem(
            .warning, .requisiteMissing, "(\(element.ai)) does not stand alone",
            expected: ElementStringReader.requirement(at: rule) + " on the same item",
            got: "none in this symbol", at: element.source)
    }

    static func missingSerial(_ element: GS1Element) -> Problem {
        Problem(
            .error, .missingSerial,
            "\"\(element.value)\" in (\(element.ai)) has no serial component",
            expected: "one beside (8030)", got: "none", at: element.source)
    }
}

/// Digital Links.
extension Problem {
    static func noURICharacter(_ found: String, at: Int) -> Problem {
        Problem(
            .error, .wrongCharacter,
            "\"\(found)\" at offset \(at) of the Digital Link is invalid",
            expected: "a character of a URI, or its percent-encoding", got: "another",
            at: at..<at + found.utf8.count)
    }

    static func invalidDigitalLink(_ what: String, expected: String, _ span: Range<Int>) -> Problem {
        Problem(
            .error, .invalidDigitalLink, "\(what) of the Digital Link is out of place",
            expected: expected, got: "something else", at: span)
    }

    static let compressedDigitalLink = Problem(
        .warning, .compressedDigitalLink, "The Digital Link is compressed",
        expected: "element strings in the path", got: "base64, which is not read")
}
