extension BarcodeDecoder {
    /// Decodes a text that may be anything: GS1 where there is evidence, a web address, a book's
    /// or serial's number, or just text.
    func decodeText(_ barcode: inout Barcode) {
        var text = barcode.text
        var link = DigitalLinkReader()
        var strings = ElementStringReader()
        let found = text.withUTF8 { Self.find($0.span, &link, &strings) }
        switch found {
        case .link(let outcome): take(link, outcome, &barcode)
        case .elements: take(strings, &barcode)
        // Separators in a symbol that says it is not GS1's prove nothing.
        case .separators where barcode.aim == nil || strings.problems.allSatisfy(\.isWarning):
            take(strings, &barcode)
        case .separators, .nothing:
            takeISBN(&barcode)
            if barcode.kind == .text { takeAddOnBehindSpace(&barcode) }
        }
    }

    /// What a text turned out to be.
    private enum Finding {
        case link(DigitalLinkReader.Outcome)
        case elements
        case separators
        case nothing
    }

    /// Looks for evidence: a web address, brackets, a separator.
    private static func find(
        _ bytes: Span<UInt8>, _ link: inout DigitalLinkReader,
        _ strings: inout ElementStringReader
    ) -> Finding {
        if DigitalLinkReader.isAddress(bytes) { return .link(link.read(bytes)) }
        if ElementStringReader.bracketedDigits(bytes, at: 0) != nil {
            strings.readBracketed(bytes)
            return .elements
        }
        // ISO/IEC 15434 messages have the same separator and another meaning.
        let separator = bytes.firstIndex(of: ElementStringReader.separator, from: 0)
        guard separator < bytes.count, !bytes.hasPrefix("[)>") else { return .nothing }
        strings.readScanData(bytes, from: 0)
        return .separators
    }

    /// Decodes GS1 element strings that an AIM identifier announced; the identifier may also
    /// stand ahead of a Digital Link or of brackets.
    func decodeScanData(_ barcode: inout Barcode) {
        var text = barcode.text
        var strings = ElementStringReader()
        let isOther = text.withUTF8 { buffer in
            let bytes = buffer.span
            if DigitalLinkReader.isAddress(bytes) { return true }
            if ElementStringReader.bracketedDigits(bytes, at: 0) != nil { return true }
            strings.readScanData(bytes, from: Self.channelLength(bytes))
            return false
        }
        if isOther { decodeText(&barcode) } else { take(strings, &barcode) }
    }

    /// The length of an extended channel interpretation, a backslash and six digits, at the start.
    private static func channelLength(_ bytes: Span<UInt8>) -> Int {
        guard bytes.count >= 7, bytes[0] == UInt8(ascii: "\\"),
            bytes.extracting(1..<7).number != nil
        else { return 0 }
        return 7
    }

    /// Takes what was read of element strings.
    func take(_ strings: ElementStringReader, _ barcode: inout Barcode) {
        barcode.problems += strings.problems
        suspectSeparator(strings, &barcode)
        guard let first = strings.elements.first else { return }
        barcode.kind = .gs1
        for element in strings.elements {
            switch element.applicationIdentifier.key {
            case 0100: if barcode.gtin == nil { barcode.gtin = try? GTIN(element.value) }
            case 8110, 8112: barcode.kind = .coupon
            default: break
            }
        }
        if first.applicationIdentifier.hasCheckDigit {
            let isWrong = strings.problems.contains {
                $0.code == .wrongCheckDigit && first.source.contains($0.at ?? -1)
            }
            barcode.checkDigit = isWrong ? .invalid : .valid
        }
        barcode.gs1 = GS1Message(elements: strings.elements)
    }

    /// Takes what was read of a web address.
    private func take(
        _ link: DigitalLinkReader, _ outcome: DigitalLinkReader.Outcome, _ barcode: inout Barcode
    ) {
        switch outcome {
        case .address:
            barcode.kind = .url
        case .compressed(let gtin):
            barcode.kind = .url
            barcode.gtin = gtin
            barcode.problems.append(.compressedDigitalLink)
        case .link:
            take(link.strings, &barcode)
        }
    }

    /// Finds a book's number written with hyphens, or in its short form, or a serial's.
    func takeISBN(_ barcode: inout Barcode) {
        let count = barcode.text.utf8.count
        guard (8...17).contains(count) else { return }
        if count >= 10, let isbn = try? ISBN(barcode.text) {
            barcode.kind = .isbn
            barcode.gtin = isbn.gtin
            barcode.checkDigit = .valid
        } else if count <= 9, Digits(barcode.text) == nil, let issn = try? ISSN(barcode.text) {
            barcode.kind = .issn
            barcode.gtin = issn.gtin()
            barcode.checkDigit = .valid
        }
    }

    /// Finds an add-on that a scanner sends behind a space.
    private func takeAddOnBehindSpace(_ barcode: inout Barcode) {
        let parts = barcode.text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let digits = Digits(String(parts[0])),
            (12...13).contains(digits.count), let gtin = GTIN(number: digits.number),
            [2, 5].contains(parts[1].utf8.count), parts[1].utf8.allSatisfy(\.isDigit)
        else { return }
        barcode.inferred = barcode.aim == nil
        barcode.addOn = String(parts[1])
        let symbology = barcode.symbology
        take(gtin, &barcode, as: digits.number < 1_000_000_000_000 ? .upcA : .ean13)
        if barcode.aim != nil { barcode.symbology = symbology }
    }
}
