extension BarcodeDecoder {
    /// Reads a label with the shop's in-store patterns, except those for retail numbers like EAN-13; nil if none fits.
    func label(_ scanned: ScannedText) -> Reading? {
        for pattern in settings.inStorePatterns where !pattern.isRetailNumber {
            guard let code = pattern.read(scanned.text, .company, settings.region?.currency),
                pattern.accepts(checkDigitOf: scanned.text)
            else { continue }
            return Reading(.inStore, checkDigit: pattern.hasCheckDigit ? .valid : nil)
                .holding(code, by: pattern, scanned.text, in: scanned.text)
        }
        return nil
    }

    /// Reads a retail number with the first of the shop's patterns that fits, or else with the region's patterns.
    ///
    /// If several of the region's patterns fit, the first gives the result, and the others give the alternatives.
    /// Returns nil if no pattern fits.
    func inStore(
        _ reading: Reading, _ gtin: GTIN, _ scope: InStoreCode.Scope, in text: String
    ) -> Reading? {
        var readings: [Reading] = []
        for (index, pattern) in patterns.enumerated() where pattern.fits(reading.symbology) {
            guard let digits = pattern.digits(of: gtin),
                let code = pattern.read(digits, scope, settings.region?.currency)
            else { continue }
            readings.append(reading.holding(code, by: pattern, digits, in: text))
            // The shop declared this pattern, so there is nothing to guess.
            if index < settings.inStorePatterns.count { break }
        }
        guard var assumed = readings.first else { return nil }
        assumed.alternatives = Array(readings.dropFirst())
        return assumed
    }

    /// Reads a number with an in-store prefix; if no pattern fits, the in-store code has no item, price or weight.
    func inStoreOrOpaque(
        _ reading: Reading, _ gtin: GTIN, _ scope: InStoreCode.Scope, in text: String
    ) -> Reading {
        if !hasOwnPatterns, let inStore = inStore(reading, gtin, scope, in: text) { return inStore }
        var reading = reading
        reading.kind = .inStore
        reading.inStore = InStoreCode(
            scope: scope, item: nil, price: nil, currency: nil, weight: nil, count: nil,
            valueCheckDigit: nil, listings: [])
        return reading
    }
}

extension Reading {
    fileprivate func holding(
        _ code: InStoreCode, by pattern: InStorePattern, _ digits: String, in text: String
    ) -> Reading {
        var reading = self
        reading.kind = .inStore
        reading.inStore = code
        reading.problems += [pattern.wrongCheckDigit(digits, in: text)].compactMap(\.self)
        return reading
    }
}

extension InStorePattern {
    fileprivate func fits(_ symbology: Symbology?) -> Bool {
        switch symbology {
        case .ean8: letters.count == 8
        case .itf14: letters.count >= 12
        default: (12...13).contains(letters.count)
        }
    }
}
