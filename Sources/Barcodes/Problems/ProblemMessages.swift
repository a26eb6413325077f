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
    static func wrongCheck(_ code: Code, of text: String, _ difference: String = "") -> Problem {
        let part = code == .wrongCheckDigit ? "digit" : "character"
        return Problem(
            code: code, severity: .error,
            message: "\"\(text)\" has a wrong check \(part)\(difference).")
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
        if kind == .text { return "just the number \(number ?? "")" }
        let system = [.gtin, .inStore].contains(kind) ? symbology?.rawValue : nil
        let value = inStore?.price.map { "price \($0)" } ?? inStore?.weight.map { "weight \($0)" }
        let parts = [
            system ?? kind.rawValue, gs1?.bracketed ?? gtin?.text ?? number, value,
            addOn.map { "with add-on \($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}

extension Problem {
    /// A value that breaks its application identifier's format.
    static func violation(
        _ violation: ContentRule.Violation, _ ai: ApplicationIdentifier, _ value: String,
        _ found: String, _ span: Range<Int>
    ) -> Problem {
        let got =
            violation.code == .wrongLength
            ? "\(violation.range.count)" : "\"\(found)\""
        return Problem(
            code: violation.code, severity: .error,
            message: "\"\(value)\" in (\(ai)) is invalid: expected \(violation.expected), "
                + "got \(got).",
            span: span)
    }

    /// Digits, or other characters, where an application identifier must stand.
    static func unknownAI(_ found: String, at: Int) -> Problem {
        Problem(
            code: .unknownAI, severity: .error,
            message: "\"\(found)\" at offset \(at) is invalid: "
                + "expected an application identifier of GS1, got another text.",
            span: at..<at + found.utf8.count)
    }

    /// A separator where none may stand.
    static func misplacedFNC1(at: Int) -> Problem {
        Problem(
            code: .misplacedFNC1, severity: .error,
            message: "The separator at offset \(at) is misplaced: "
                + "expected an application identifier, got FNC1.",
            span: at..<at + 1)
    }

    /// A value that seems to hold further element strings.
    static func fnc1MissingSuspect(
        _ ai: ApplicationIdentifier, _ bytes: Span<UInt8>, _ range: Range<Int>, rest: Int
    ) -> Problem {
        let span = rest..<range.upperBound
        return Problem(
            code: .fnc1MissingSuspect, severity: .warning,
            message: "\"\(bytes.string(range))\" in (\(ai)) is suspect: expected FNC1 ahead of "
                + "\"\(bytes.string(span))\", which reads as element strings, got none.",
            span: span)
    }

    /// A message whose fields run together.
    static let separatorsLost = Problem(
        code: .fnc1MissingSuspect, severity: .warning,
        message: "The fields of the label run together: expected RS after \"[)>\" and GS between "
            + "the fields, got none. Set the scanner to send control characters.")

    /// A text that would be element strings if a setting said so.
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
            code: .gs1Suspect, severity: .warning,
            message: "\"\(text)\" reads as GS1 element strings\(condition): expected an AIM "
                + "identifier or FNC1, got neither (the scanner's setting \(setting) reads it).")
    }

    /// An identifier that comes twice.
    static func repeatedAIDiffers(
        _ ai: ApplicationIdentifier, _ first: String, _ second: GS1Element
    ) -> Problem {
        Problem(
            code: .repeatedAIDiffers, severity: .error,
            message: "(\(ai)) comes twice: expected \"\(first)\" again, got \"\(second.value)\".",
            span: second.source)
    }

    /// Two identifiers that exclude each other.
    static func exclusivePair(_ element: GS1Element, _ other: GS1Element) -> Problem {
        Problem(
            code: .exclusivePair, severity: .error,
            message: "(\(element.ai)) and (\(other.ai)) exclude each other: "
                + "expected one of them, got both.",
            span: element.source)
    }

    /// An identifier that needs another one.
    static func requisiteMissing(_ element: GS1Element, rule: Int) -> Problem {
        Problem(
            code: .requisiteMissing, severity: .warning,
            message: "(\(element.ai)) does not stand alone: expected "
                + ElementStringReader.requirement(at: rule)
                + " on the same item, got none in this symbol.",
            span: element.source)
    }

    /// A key without the serial component that a digital signature needs.
    static func missingSerial(_ element: GS1Element) -> Problem {
        Problem(
            code: .missingSerial, severity: .error,
            message: "\"\(element.value)\" in (\(element.ai)) has no serial component: "
                + "expected one beside (8030), got none.",
            span: element.source)
    }
}

extension Problem {
    /// A character that no URI may have.
    static func noURICharacter(_ found: String, at: Int) -> Problem {
        Problem(
            code: .wrongCharacter, severity: .error,
            message: "\"\(found)\" at offset \(at) of the Digital Link is invalid: "
                + "expected a character of a URI, or its percent-encoding, got another.",
            span: at..<at + found.utf8.count)
    }

    /// Something that does not belong where it stands in a Digital Link.
    static func invalidDigitalLink(
        _ what: String, expected: String, _ span: Range<Int>
    ) -> Problem {
        Problem(
            code: .invalidDigitalLink, severity: .error,
            message: "\(what) of the Digital Link is out of place: expected \(expected), "
                + "got something else.",
            span: span)
    }

    /// A Digital Link whose content is compressed.
    static let compressedDigitalLink = Problem(
        code: .compressedDigitalLink, severity: .warning,
        message: "The Digital Link is compressed: expected element strings in the path, "
            + "got base64, which is not read.")
}
