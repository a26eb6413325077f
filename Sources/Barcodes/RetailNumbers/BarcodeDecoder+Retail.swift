extension BarcodeDecoder {
    /// Makes a barcode a product's.
    func take(_ gtin: GTIN, _ barcode: inout Barcode, as symbology: Symbology) {
        barcode.symbology = symbology
        barcode.kind = .gtin
        barcode.gtin = gtin
        barcode.checkDigit = .valid
        classify(gtin, &barcode)
    }

    /// Decodes a text that the AIM identifier says is digits of one length.
    func decodeRetail(_ barcode: inout Barcode, symbology: Symbology, length: Int) {
        guard let digits = Digits(barcode.text) else {
            barcode.problems.append(.notDigits(barcode.text, expected: length))
            return
        }
        decode(digits, &barcode, as: symbology, length: length)
    }

    /// Decodes digits that must be of one length and end in a check digit.
    private func decode(
        _ digits: Digits, _ barcode: inout Barcode, as symbology: Symbology, length: Int
    ) {
        guard digits.count == length else {
            barcode.problems.append(
                .wrongLength(barcode.text, expected: "\(length) digits", found: digits.count))
            return
        }
        decode(digits, &barcode, as: symbology)
    }

    /// Decodes digits whose check digit is right or not.
    func decode(_ digits: Digits, _ barcode: inout Barcode, as symbology: Symbology) {
        guard digits.isValid else {
            barcode.symbology = symbology
            barcode.kind = .gtin
            barcode.checkDigit = .invalid
            barcode.problems.append(.wrongCheckDigit(barcode.text, digits))
            return
        }
        take(GTIN(unchecked: digits.number), &barcode, as: symbology)
    }

    /// Decodes what comes with `]E0`: EAN-13, UPC-A and UPC-E, as 13 digits.
    ///
    /// A UPC-A starts with a 0; so does a UPC-E, expanded by the scanner. A number that can be
    /// compressed is taken for a UPC-E. Scanners that send 12 or fewer digits break the rule, but
    /// are understood where there is one reading only.
    ///
    /// Rule: ISO/IEC 15424, data carrier `E`.
    func decodeEAN13(_ barcode: inout Barcode) {
        guard let digits = Digits(barcode.text) else {
            decodeInlineAddOn(&barcode)
            return
        }
        switch digits.count {
        case 12: decode(digits, &barcode, as: .upcA)
        case 6...8: decodeShort(digits, &barcode)
        case 13 where digits.number < 1_000_000_000_000:
            decode(digits, &barcode, as: .upcA)
            if let gtin = barcode.gtin, gtin.upcE != nil { barcode.symbology = .upcE }
        default: decode(digits, &barcode, as: .ean13, length: 13)
        }
    }

    /// Decodes 6 to 8 digits that come with `]E0`: a UPC-E that was not expanded, else an EAN-8.
    private func decodeShort(_ digits: Digits, _ barcode: inout Barcode) {
        if takeUnexpandedUPCE(digits, &barcode) { return }
        if digits.count == 8 {
            decode(digits, &barcode, as: digits.isValid ? .ean8 : .upcE)
        } else {
            decode(digits, &barcode, as: .ean13, length: 13)
        }
    }

    /// Takes 6 to 8 digits for a UPC-E, with or without its number system and check digit.
    ///
    /// - Returns: False where they are none.
    func takeUnexpandedUPCE(_ digits: Digits, _ barcode: inout Barcode) -> Bool {
        let candidates = digits.upcECandidates
        guard let gtin = candidates.first else { return false }
        if candidates.count > 1 {
            barcode.problems.append(.ambiguousUPCE(barcode.text, taken: gtin))
        }
        take(gtin, &barcode, as: .upcE)
        return true
    }

    /// Finds a GTIN of 12 to 14 digits in a symbology that may carry anything.
    ///
    /// Eight digits are too often something else, and a wrong check digit only says that the text
    /// is no GTIN.
    func takeBareGTIN(_ barcode: inout Barcode) {
        guard let digits = Digits(barcode.text), digits.isValid, (12...14).contains(digits.count)
        else {
            takeISBN(&barcode)
            return
        }
        let symbology = barcode.symbology
        take(GTIN(unchecked: digits.number), &barcode, as: .ean13)
        barcode.symbology = symbology
    }

    /// Decodes Interleaved 2 of 5: an ITF-14 if it has 14 digits, else anything.
    func decodeInterleaved(_ barcode: inout Barcode) {
        guard let digits = Digits(barcode.text), digits.count == 14 else { return }
        decode(digits, &barcode, as: .itf14)
    }

    /// Decodes Interleaved 2 of 5 whose check digit the scanner has checked and taken off.
    func decodeInterleavedWithoutCheckDigit(_ barcode: inout Barcode) {
        guard let digits = Digits(barcode.text), digits.count == 13 else { return }
        let number = digits.number * 10 + CheckDigit.gs1(forNumber: digits.number)
        take(GTIN(unchecked: number), &barcode, as: .itf14)
    }
}
