extension BarcodeDecoder {
    /// Takes a text without AIM identifier, of which nothing else is known, for GS1 element strings,
    /// where the scanner sends such; or else tells that it looks like them.
    func inferElementStrings(_ barcode: inout Barcode) {
        if settings.content == .gs1, let strings = ElementStringReader(believing: barcode.text) {
            barcode.checkDigit = nil
            barcode.problems = []
            take(strings, &barcode)
        } else if let suspicion = GS1Suspicion(barcode.text) {
            barcode.problems.append(.gs1Suspect(barcode.text, suspicion))
        }
    }

    /// Tells where element strings with mistakes would have none if a character stood for FNC1.
    func suspectSeparator(_ strings: ElementStringReader, _ barcode: inout Barcode) {
        guard !strings.problems.allSatisfy(\.isWarning), let suspicion = GS1Suspicion(barcode.text),
            suspicion.separator != .none
        else { return }
        barcode.problems.append(.gs1Suspect(barcode.text, suspicion))
    }
}

extension ElementStringReader {
    /// Reads a text that nothing but a scanner's setting says to be element strings; nil where the
    /// text itself does not bear that out.
    ///
    /// It does where a key of predefined length with its check digit comes first, whatever follows.
    /// Else all of it must be element strings without a mistake, the first a key or a date with another
    /// element behind it: a lot or a serial number could be any number of the shop.
    fileprivate init?(believing text: String) {
        self.init()
        var text = text
        let mayBe = text.withUTF8 { buffer in
            let bytes = buffer.span
            guard ApplicationIdentifier.lookup(in: bytes, at: 0) != nil else { return false }
            readScanData(bytes, from: 0)
            return true
        }
        guard mayBe, startsWithKey || isFlawless && isTelling else { return nil }
    }

    private var startsWithKey: Bool {
        guard let first = elements.first, first.applicationIdentifier.hasPredefinedLength else {
            return false
        }
        return first.hasTellingKey
            && !problems.contains { !$0.isWarning && first.source.contains($0.at ?? -1) }
    }

    private var isFlawless: Bool { problems.allSatisfy(\.isWarning) }

    private var isTelling: Bool {
        guard let first = elements.first else { return false }
        return first.hasTellingKey || elements.count > 1 && first.applicationIdentifier.hasDate
    }
}

extension GS1Element {
    /// Whether the value is a key with a check digit, right or wrong, of its length and not all zeros.
    var hasTellingKey: Bool {
        let ai = applicationIdentifier
        return ai.hasCheckDigit && value.utf8.count >= ai.spec.least
            && value.utf8.dropLast(7).contains { $0 != UInt8(ascii: "0") }
    }
}

extension ApplicationIdentifier {
    /// Whether the value is a key with a check digit.
    var hasCheckDigit: Bool { isChecked(by: [.csum]) }

    /// Whether the value is a date.
    fileprivate var hasDate: Bool { isChecked(by: [.yymmdd, .yymmd0]) }

    /// Whether one of the rules is the first that a part of the value is held against.
    private func isChecked(by rules: [ContentRule]) -> Bool {
        spec.components.contains { index in
            let component = GS1Component(packed: ApplicationIdentifierTable.components[index])
            return rules.contains { component.rules & 0x3F == UInt64($0.rawValue) }
        }
    }
}
