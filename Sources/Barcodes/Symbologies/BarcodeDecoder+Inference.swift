extension BarcodeDecoder {
    /// Tells what a text without AIM identifier is.
    func infer(_ barcode: inout Barcode) {
        inferNumber(&barcode)
        if barcode.kind == .text { inferElementStrings(&barcode) }
    }

    /// Tells what the number of digits, or else the text, shows of itself.
    private func inferNumber(_ barcode: inout Barcode) {
        guard let digits = Digits(barcode.text) else {
            decodeText(&barcode)
            return
        }
        switch digits.count {
        case 13:
            let isUPC = digits.number < 1_000_000_000_000
            infer(&barcode, digits, as: isUPC ? .upcA : .ean13)
        case 12: infer(&barcode, digits, as: .upcA)
        case 14: infer(&barcode, digits, as: .itf14)
        case 8: inferEightDigits(&barcode, digits)
        case 15, 18: inferAddOn(&barcode, digits)
        case 10: takeISBN(&barcode)
        case 6...7 where settings.upcE == .unexpanded:
            barcode.inferred = takeUnexpandedUPCE(digits, &barcode)
        default: break
        }
    }

    /// Takes digits of a symbology's length for that symbology if their check digit fits.
    private func infer(_ barcode: inout Barcode, _ digits: Digits, as symbology: Symbology) {
        guard digits.isValid else {
            barcode.checkDigit = .invalid
            barcode.problems.append(.wrongCheckDigit(barcode.text, digits))
            return
        }
        barcode.inferred = true
        take(GTIN(unchecked: digits.number), &barcode, as: symbology)
    }

    /// Tells EAN-8 from UPC-E by the check digit, which differs in nine of ten codes.
    private func inferEightDigits(_ barcode: inout Barcode, _ digits: Digits) {
        guard let upcE = digits.upcE else {
            infer(&barcode, digits, as: .ean8)
            return
        }
        if digits.isValid {
            barcode.problems.append(
                .ambiguousEightDigits(barcode.text, taken: settings.ambiguousEightDigits))
            if settings.ambiguousEightDigits == .ean8 {
                infer(&barcode, digits, as: .ean8)
                return
            }
        }
        barcode.inferred = true
        take(upcE, &barcode, as: .upcE)
    }

    /// Takes 15 or 18 digits for a book or serial with an add-on, if their first 13 are one.
    private func inferAddOn(_ barcode: inout Barcode, _ digits: Digits) {
        let length = digits.count - 13
        let number = digits.number / (length == 2 ? 100 : 100_000)
        guard (977...979).contains(number / 10_000_000_000), let gtin = GTIN(number: number)
        else { return }
        barcode.inferred = true
        barcode.addOn = String(barcode.text.suffix(length))
        take(gtin, &barcode, as: .ean13)
    }
}
