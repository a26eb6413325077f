extension BarcodeDecoder {
    /// Reads the element strings or Digital Link after an AIM identifier such as `]C1`.
    func announcedElementStrings(_ scanned: ScannedText, _ aim: AIMIdentifier) -> Reading {
        let bytes = scanned.text.utf8.span
        var reading =
            webAddress(scanned, aim) ?? bracketedElementStrings(scanned, aim)
            ?? reading(
                of: ElementStringReader(scanData: bytes, from: Self.channelLength(bytes)),
                in: scanned.text)
        reading.symbology = aim.symbology
        return reading
    }

    /// Returns the length of an Extended Channel Interpretation at the start; 0 without one.
    private static func channelLength(_ bytes: Span<UInt8>) -> Int {
        guard bytes.count >= 7, bytes[0] == "\\",
            bytes.extracting(1..<7).number != nil
        else { return 0 }
        return 7
    }

    func bracketedElementStrings(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        let bytes = scanned.text.utf8.span
        guard ElementStringReader.bracketedDigits(bytes, at: 0) != nil else { return nil }
        return reading(of: ElementStringReader(bracketed: bytes), in: scanned.text)
    }

    /// Reads text as element strings if it contains FNC1, or if FNC1 was removed from its start or end.
    ///
    /// After an AIM identifier that does not announce GS1 content, the text must also be free of errors.
    func separatedElementStrings(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        let bytes = scanned.text.utf8.span
        // ISO/IEC 15434 messages use the same separator with another meaning.
        guard scanned.hasFNC1 || bytes.firstIndex(of: ElementStringReader.separator) < bytes.count,
            !bytes.hasPrefix("[)>")
        else { return nil }
        let strings = ElementStringReader(scanData: bytes)
        guard aim == nil ? !strings.elements.isEmpty : strings.problems.allSatisfy(\.isWarning)
        else { return nil }
        return reading(of: strings, in: scanned.text)
    }

    func unannouncedElementStrings(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        guard aim == nil, settings.content == .gs1,
            let strings = ElementStringReader(believing: scanned.text)
        else { return nil }
        return reading(of: strings, in: scanned.text)
    }

    func plainText(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading {
        var reading = Reading(.text, symbology: aim?.symbology)
        guard aim == nil else { return reading }
        if let digits = scanned.digits, [8, 12, 13, 14].contains(digits.count) {
            reading.checkDigit = .invalid
            reading.problems.append(.wrongCheckDigit(scanned.text, digits))
        }
        // Report a lost separator, too: with the setting that `gs1Suspect` suggests, the scan would have a wrong value.
        if let lost = GS1Suspicion.lostSeparator(in: scanned.text) { reading.problems.append(lost) }
        if let suspicion = GS1Suspicion(scanned.text) {
            reading.problems.append(.gs1Suspect(scanned.text, suspicion))
        }
        return reading
    }

    func reading(of strings: ElementStringReader, in text: String) -> Reading {
        var reading = Reading()
        reading.problems = strings.problems
        // The errors may come from a scanner that sends another character for FNC1.
        if !strings.problems.allSatisfy(\.isWarning), let suspicion = GS1Suspicion(text),
            suspicion.separator != .none
        {
            reading.problems.append(.gs1Suspect(text, suspicion))
        }
        guard let first = strings.elements.first else { return reading }
        let isCoupon = strings.elements.contains {
            [8110, 8112].contains($0.applicationIdentifier.key)
        }
        reading.kind = isCoupon ? .coupon : .gs1
        // Only (01) is the product's own number; with fewer than 14 digits, it is incomplete.
        let numbers = strings.elements.lazy.filter {
            $0.applicationIdentifier.key == 0100 && $0.value.utf8.count == 14
        }
        reading.gtin = numbers.compactMap { try? GTIN($0.value) }.first
        if let pzn = reading.gtin.flatMap(PZN.init(ntin:)) { reading.number = pzn.digits }
        reading.checkDigit = first.checkDigit
        reading.gs1 = GS1Message(elements: strings.elements)
        return reading
    }
}

extension ElementStringReader {
    /// Reads text as element strings because the settings request it; nil if it does not look like element strings.
    ///
    /// Accepts any text that starts with a key of predefined length and a correct check digit. Also accepts valid
    /// element strings that start with another key, or with a date followed by another element. Rejects text that
    /// starts with a lot or serial number, because it could be any of the shop's own numbers.
    fileprivate init?(believing text: String) {
        let bytes = text.utf8.span
        guard ApplicationIdentifier.lookup(in: bytes, at: 0) != nil else { return nil }
        self.init(scanData: bytes)
        guard let first = elements.first else { return nil }
        let errors = problems.filter { !$0.isWarning }
        let startsWithKey =
            first.hasTellingKey && first.applicationIdentifier.spec.isPredefined
            && !errors.contains { first.source.contains($0.at ?? -1) }
        let isTelling =
            first.hasTellingKey || elements.count > 1 && first.applicationIdentifier.hasDate
        guard startsWithKey || errors.isEmpty && isTelling else { return nil }
    }
}

extension GS1Element {
    /// Whether the value is a complete GS1 key with more than seven significant digits.
    var hasTellingKey: Bool {
        let ai = applicationIdentifier
        return ai.hasCheckDigit && value.utf8.count >= ai.spec.least
            && value.utf8.dropLast(7).contains { $0 != "0" }
    }
}

extension ApplicationIdentifier {
    var hasCheckDigit: Bool { isChecked(by: [.csum]) }

    var hasDate: Bool { isChecked(by: [.yymmdd, .yymmd0]) }

    private func isChecked(by rules: [ContentRule]) -> Bool {
        spec.components.contains { index in
            ApplicationIdentifierTable.components[index].checks.first.map(rules.contains) ?? false
        }
    }
}
