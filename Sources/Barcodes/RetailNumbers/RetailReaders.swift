/// EAN-8, UPC-E, EAN-13, UPC-A and ITF-14, without an AIM identifier.
extension BarcodeDecoder {
    /// EAN-8: 8 digits with their check digit.
    func ean8(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        scanned.gtin(of: 8...8).map { product($0, as: .ean8, in: scanned.text) }
    }

    /// UPC-E: 8 digits, the last of which is the check digit of the expanded number; or 6 or 7, if
    /// the scanner sends such.
    func upcE(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        guard let digits = scanned.digits, digits.count == 8 || settings.upcE == .unexpanded
        else { return nil }
        return anyUPCE(digits, in: scanned.text)
    }

    /// EAN-13, and UPC-A with or without its leading 0: 12 or 13 digits with their check digit.
    func ean13(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        scanned.gtin(of: 12...13).map { product($0, as: $0.symbology, in: scanned.text) }
    }

    /// ITF-14: 14 digits with their check digit.
    func itf14(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        scanned.gtin(of: 14...14).map { product($0, as: .itf14, in: scanned.text) }
    }

    /// A GTIN of 12 to 14 digits in a symbology that may carry anything.
    ///
    /// 8 digits there are too often something else, and a wrong check digit only says that the text
    /// is no GTIN.
    func productInAnySymbology(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        guard aim != nil else { return nil }
        return scanned.gtin(of: 12...14).map { product($0, as: .ean13, in: scanned.text) }
    }
}

extension ScannedText {
    /// The text as a number of so many digits, if its last digit checks the others.
    fileprivate func gtin(of counts: ClosedRange<Int>) -> GTIN? {
        guard let digits, counts.contains(digits.count), digits.isValid else { return nil }
        return GTIN(unchecked: digits.number)
    }
}

/// EAN-13 and UPC-A with an add-on, without an AIM identifier.
extension BarcodeDecoder {
    /// A book or periodical with its add-on, which no other code looks like.
    func periodicalWithAddOn(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        guard let (gtin, length) = scanned.digits?.withAddOn, gtin.isPeriodical else { return nil }
        return product(gtin, withAddOn: length, in: scanned.text)
    }

    /// Any other product with an add-on; such a number may as well be one of another kind.
    func productWithAddOn(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        guard let (gtin, length) = scanned.digits?.withAddOn, !gtin.isPeriodical else { return nil }
        var reading = product(gtin, withAddOn: length, in: scanned.text)
        reading.isDoubtful = true
        return reading
    }

    /// A product and, after a space, its add-on.
    func productAndSpacedAddOn(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        guard (15...19).contains(scanned.text.utf8.count), scanned.digits == nil else { return nil }
        let parts = scanned.text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let digits = Digits(String(parts[0])),
            (12...13).contains(digits.count), let gtin = GTIN(number: digits.number),
            [2, 5].contains(parts[1].utf8.count), parts[1].utf8.allSatisfy(\.isDigit)
        else { return nil }
        return product(gtin, withAddOn: parts[1].utf8.count, in: scanned.text)
    }

    private func product(_ gtin: GTIN, withAddOn length: Int, in text: String) -> Reading {
        let main = text.dropLast(length)
        var reading = product(gtin, as: gtin.symbology, in: String(main.prefix { $0 != " " }))
        reading.addOn = String(text.suffix(length))
        return reading
    }
}

extension Digits {
    /// The number before an add-on of 2 or 5 digits, if its check digit is right.
    fileprivate var withAddOn: (GTIN, length: Int)? {
        switch count {
        case 14, 15: GTIN(number: number / 100).map { ($0, 2) }
        case 17, 18: GTIN(number: number / 100_000).map { ($0, 5) }
        default: nil
        }
    }
}

extension GTIN {
    /// The symbology of a number of 12 or 13 digits.
    fileprivate var symbology: Symbology { number < 1_000_000_000_000 ? .upcA : .ean13 }

    /// Whether the number is of those that bear an add-on: serials, books, the periodicals of
    /// France, Germany and Japan, and those of North America.
    ///
    /// Source: the numbers that these countries' press distributors assign.
    fileprivate var isPeriodical: Bool {
        [977, 978, 979, 378, 379, 414, 419, 434, 439, 491].contains(number / 10_000_000_000)
            || number / 10_000_000_000 == 7
    }
}

/// What an AIM identifier announces: a text that does not fit is told what it lacks.
extension BarcodeDecoder {
    /// `]E0`: EAN-13, UPC-A and UPC-E, as 13 digits.
    ///
    /// A UPC-A starts with a 0; so does a UPC-E, expanded by the scanner. A number that can be
    /// compressed is taken for a UPC-E. Scanners that send 12 or fewer digits break the rule, but
    /// are understood if there is one reading only.
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
        guard let digits else { return announcedInlineAddOn(text) }
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

    /// `]E3`: 13 digits, or 12, followed by the two or five of an add-on.
    func announcedEAN13WithAddOn(_ scanned: ScannedText) -> Reading {
        let text = scanned.text
        guard let digits = scanned.digits, [14, 15, 17, 18].contains(digits.count) else {
            return .notDigits(text, expected: 18, symbology: .ean13)
        }
        let length = digits.count < 16 ? 2 : 5
        let main = String(text.dropLast(length))
        var reading = announcedEAN13(main, Digits(main))
        reading.addOn = String(text.suffix(length))
        return reading
    }

    /// `]E0` and, in the same text, an add-on with its own identifier: `5449000000996]E112`.
    private func announcedInlineAddOn(_ text: String) -> Reading {
        let parts = text.split(separator: "]", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let main = Digits(parts[0]),
            parts[1].hasPrefix("E1")
                && parts[1].utf8.count == 4 || parts[1].hasPrefix("E2") && parts[1].utf8.count == 7,
            Digits(String(parts[1].dropFirst(2))) != nil
        else { return .notDigits(text, expected: 13, symbology: .ean13) }
        var reading = announcedEAN13(parts[0], main)
        reading.addOn = String(parts[1].dropFirst(2))
        return reading
    }

    /// `]E1`, `]E2`: an add-on alone.
    func announcedAddOn(_ scanned: ScannedText, _ aim: AIMIdentifier) -> Reading {
        let length = aim.digit == "1" ? 2 : 5
        guard scanned.digits?.count == length else {
            return .notDigits(scanned.text, expected: length, symbology: nil)
        }
        var reading = Reading()
        reading.addOn = scanned.text
        return reading
    }

    /// `]E4`: EAN-8.
    func announcedEAN8(_ scanned: ScannedText) -> Reading {
        guard let digits = scanned.digits, digits.count == 8 else {
            return .notDigits(scanned.text, expected: 8, symbology: .ean8)
        }
        return announced(digits, as: .ean8, in: scanned.text)
    }

    /// `]I0`, `]I1`, and `]I3`, whose check digit the scanner has checked and taken off: an ITF-14
    /// if it has 14 digits, or 13 without the check digit, else anything.
    func announcedITF(_ scanned: ScannedText, hasCheckDigit: Bool) -> Reading {
        guard let digits = scanned.digits, digits.count == (hasCheckDigit ? 14 : 13) else {
            return Reading()
        }
        if hasCheckDigit { return announced(digits, as: .itf14, in: scanned.text) }
        let number = digits.number * 10 + CheckDigit.gs1(forNumber: digits.number)
        return product(GTIN(unchecked: number), as: .itf14, in: scanned.text)
    }

    /// Digits of the right length, whose check digit is right or not.
    @inline(__always)
    private func announced(_ digits: Digits, as symbology: Symbology, in text: String) -> Reading {
        digits.isValid
            ? product(GTIN(unchecked: digits.number), as: symbology, in: text)
            : Reading(
                .gtin, symbology: symbology, checkDigit: .invalid,
                problems: [.wrongCheckDigit(text, digits)])
    }

    /// 6 to 8 digits as a UPC-E, with or without its number system and check digit; nil if they
    /// are none.
    private func anyUPCE(_ digits: Digits, in text: String) -> Reading? {
        var readings = GTIN.candidates(upcE: digits).map { product($0, as: .upcE, in: text) }
        guard !readings.isEmpty else { return nil }
        var likeliest = readings.removeFirst()
        likeliest.alternatives = readings
        return likeliest
    }
}

extension Reading {
    /// A text that should be some digits, but holds another character or is of another length.
    fileprivate static func notDigits(
        _ text: String, expected: Int, symbology: Symbology?
    ) -> Reading {
        Reading(.text, symbology: symbology, problems: [.notDigits(text, expected: expected)])
    }
}
