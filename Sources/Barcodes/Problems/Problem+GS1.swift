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
