/// Readers of retail numbers that no AIM identifier announces.
extension BarcodeDecoder {
    func ean8(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        scanned.gtin(of: 8...8).map { product($0, as: .ean8, in: scanned.text) }
    }

    /// Reads a UPC-E of 8 digits; also reads 6 or 7 digits if the setting `upcE` is `unexpanded`.
    func upcE(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        guard let digits = scanned.digits, digits.count == 8 || settings.upcE == .unexpanded
        else { return nil }
        return anyUPCE(digits, in: scanned.text)
    }

    /// Reads an EAN-13 or a UPC-A: 12 or 13 digits with a correct check digit.
    func ean13(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        scanned.gtin(of: 12...13).map { product($0, as: $0.symbology, in: scanned.text) }
    }

    func itf14(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        scanned.gtin(of: 14...14).map { product($0, as: .itf14, in: scanned.text) }
    }

    /// Reads a GTIN of 12 to 14 digits from a general-purpose symbology; ignores 8 digits, which are rarely a GTIN.
    func productInAnySymbology(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        guard aim != nil else { return nil }
        return scanned.gtin(of: 12...14).map { product($0, as: .ean13, in: scanned.text) }
    }
}

extension ScannedText {
    fileprivate func gtin(of counts: ClosedRange<Int>) -> GTIN? {
        guard let digits, counts.contains(digits.count), digits.isValid else { return nil }
        return GTIN(unchecked: digits.number)
    }
}

/// Readers for EAN-13 and UPC-A codes with an add-on, for scans without an AIM identifier that indicates the add-on.
extension BarcodeDecoder {
    /// Reads the number and add-on of a book or periodical.
    func periodicalWithAddOn(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        product(scanned, addOnAfter: "") { $0.isPeriodical }
    }

    /// Reads the number and add-on of a product other than a book or periodical.
    func productWithAddOn(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        var reading = product(scanned, addOnAfter: "") { !$0.isPeriodical }
        reading?.isDoubtful = true
        return reading
    }

    func productAndSpacedAddOn(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        product(scanned, addOnAfter: " ") { _ in true }
    }

    private func product(
        _ scanned: ScannedText, addOnAfter separator: String, if isMeant: (GTIN) -> Bool
    ) -> Reading? {
        guard let (main, addOn) = scanned.split(addOnAfter: [separator, separator]),
            let gtin = main.gtin(of: 12...13), isMeant(gtin)
        else { return nil }
        var reading = product(gtin, as: gtin.symbology, in: main.text)
        reading.addOn = addOn
        return reading
    }
}

extension ScannedText {
    /// Splits off an add-on (two digits after `separators[0]`, or five after `separators[1]`); nil without an add-on.
    fileprivate func split(addOnAfter separators: [String]) -> (main: ScannedText, addOn: String)? {
        guard separators[0].isEmpty ? (digits?.count ?? 0) > 13 : digits == nil,
            text.utf8.count <= 21
        else { return nil }
        for (separator, length) in zip(separators, [2, 5]) {
            let (rest, addOn) = (text.dropLast(length), text.suffix(length))
            guard rest.hasSuffix(separator), addOn.utf8.allSatisfy(\.isDigit) else { continue }
            let main = ScannedText(String(rest.dropLast(separator.count)))
            if main.digits != nil, !separator.isEmpty || (12...13).contains(main.text.utf8.count) {
                return (main, String(addOn))
            }
        }
        return nil
    }
}

extension GTIN {
    fileprivate var symbology: Symbology { number < 1_000_000_000_000 ? .upcA : .ean13 }

    /// Whether the number belongs to a book or periodical, whose symbol usually has an add-on.
    ///
    /// Source: the prefixes that press distributors in France, Germany, Japan and North America assign.
    fileprivate var isPeriodical: Bool {
        [977, 978, 979, 378, 379, 414, 419, 434, 439, 491].contains(number / 10_000_000_000)
            || number / 10_000_000_000 == 7
    }
}

/// Functions that read text as the kind of content that its AIM identifier announces.
extension BarcodeDecoder {
    /// Reads the text after `]E0`: EAN-13, UPC-A or UPC-E, as 13 digits.
    ///
    /// A number that starts with 0 is a UPC-E if it has a UPC-E form, or else a UPC-A. Some scanners break the rule and
    /// send 12 digits (UPC-A), or 6 to 8 digits (UPC-E or EAN-8).
    ///
    /// Rule: ISO/IEC 15424, data carrier `E`.
    @inline(__always)
    func announcedEAN13(_ text: String, _ digits: Digits?) -> Reading {
        if let digits, digits.count == 13, digits.number >= 1_000_000_000_000 {
            return announced(digits, as: .ean13, in: text)
        }
        return announcedUPC(text, digits)
    }

    @inline(never)
    private func announcedUPC(_ text: String, _ digits: Digits?) -> Reading {
        // The add-on may come in the same text, with its own identifier: `5449000000996]E112`.
        guard let digits else {
            return announced(ScannedText(text), addOnAfter: ["]E1", "]E2"])
                ?? .notDigits(text, expected: 13, symbology: .ean13)
        }
        switch digits.count {
        case 12: return announced(digits, as: .upcA, in: text)
        case 13:
            var reading = announced(digits, as: .upcA, in: text)
            if reading.gtin?.upcE != nil { reading.symbology = .upcE }
            return reading
        case 6...8:
            if let reading = anyUPCE(digits, in: text) { return reading }
            guard digits.count == 8 else {
                return .notDigits(text, expected: 13, symbology: .ean13)
            }
            return announced(digits, as: digits.isValid ? .ean8 : .upcE, in: text)
        default: return .notDigits(text, expected: 13, symbology: .ean13)
        }
    }

    /// Reads the text after `]E3`: 12 or 13 digits, followed by the two or five digits of an add-on.
    func announcedEAN13WithAddOn(_ scanned: ScannedText) -> Reading {
        announced(scanned, addOnAfter: ["", ""])
            ?? .notDigits(scanned.text, expected: 18, symbology: .ean13)
    }

    private func announced(_ scanned: ScannedText, addOnAfter separators: [String]) -> Reading? {
        guard let (main, addOn) = scanned.split(addOnAfter: separators) else { return nil }
        var reading = announcedEAN13(main.text, main.digits)
        reading.addOn = addOn
        return reading
    }

    /// Reads the text after `]E1` or `]E2`: an add-on without its main symbol.
    func announcedAddOn(_ scanned: ScannedText, _ length: Int) -> Reading {
        guard scanned.digits?.count == length else {
            return .notDigits(scanned.text, expected: length, symbology: nil)
        }
        var reading = Reading()
        reading.addOn = scanned.text
        return reading
    }

    /// Reads the text after `]E4`: an EAN-8.
    func announcedEAN8(_ scanned: ScannedText) -> Reading {
        guard let digits = scanned.digits, digits.count == 8 else {
            return .notDigits(scanned.text, expected: 8, symbology: .ean8)
        }
        return announced(digits, as: .ean8, in: scanned.text)
    }

    /// Reads an ITF-14 of 14 digits, or of 13 digits without the check digit.
    func announcedITF(_ scanned: ScannedText, hasCheckDigit: Bool) -> Reading {
        guard let digits = scanned.digits, digits.count == (hasCheckDigit ? 14 : 13) else {
            return Reading()
        }
        if hasCheckDigit { return announced(digits, as: .itf14, in: scanned.text) }
        let number = digits.number * 10 + CheckDigit.gs1(forNumber: digits.number)
        return product(GTIN(unchecked: number), as: .itf14, in: scanned.text)
    }

    @inline(__always)
    private func announced(_ digits: Digits, as symbology: Symbology, in text: String) -> Reading {
        digits.isValid
            ? product(GTIN(unchecked: digits.number), as: symbology, in: text)
            : Reading(
                .gtin, symbology: symbology, checkDigit: .invalid,
                problems: [.wrongCheckDigit(text, digits)])
    }

    /// Reads 6 to 8 digits as UPC-E; nil if they are not UPC-E.
    private func anyUPCE(_ digits: Digits, in text: String) -> Reading? {
        var readings = GTIN.candidates(upcE: digits).map { product($0, as: .upcE, in: text) }
        guard !readings.isEmpty else { return nil }
        var likeliest = readings.removeFirst()
        likeliest.alternatives = readings
        return likeliest
    }
}

extension Reading {
    fileprivate static func notDigits(
        _ text: String, expected: Int, symbology: Symbology?
    ) -> Reading {
        Reading(.text, symbology: symbology, problems: [.notDigits(text, expected: expected)])
    }
}
