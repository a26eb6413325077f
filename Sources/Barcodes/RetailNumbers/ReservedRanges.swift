extension BarcodeDecoder {
    /// A number that ends in its check digit, and what its first digits reserve it for.
    ///
    /// Rule: GS1 General Specifications, figures 1.4.3-1 (GS1 Prefixes) and 1.4.3-2 (GS1-8
    /// Prefixes).
    @inline(__always)
    func product(_ gtin: GTIN, as symbology: Symbology, in text: String) -> Reading {
        let reading = Reading(.gtin, symbology: symbology, gtin: gtin, checkDigit: .valid)
        // Most products: nothing there is reserved for anything.
        if !hasOwnPatterns, symbology != .ean8,
            (300...950).contains(gtin.number / 10_000_000_000)
        {
            return reading
        }
        return reserved(reading, gtin, in: text)
    }

    private func reserved(_ reading: Reading, _ gtin: GTIN, in text: String) -> Reading {
        if hasOwnPatterns, let inStore = inStore(reading, gtin, .company, in: text) {
            return inStore
        }
        var reading = reading
        if reading.symbology == .ean8 {
            let prefix = gtin.number / 10_000_000
            return prefix == 0 || prefix == 2
                ? inStoreOrOpaque(reading, gtin, .company, in: text) : reading
        }
        switch gtin.number / 10_000_000_000 {
        case 20...29, 200...299: return inStoreOrOpaque(reading, gtin, .region, in: text)
        case 40...49: return inStoreOrOpaque(reading, gtin, .company, in: text)
        case 191...192 where reading.symbology == .ean13:
            reading.kind = .bookDetails
            reading.gtin = nil
        case 977: reading.kind = .issn
        case 978...979: if gtin.isISBN { reading.kind = .isbn }
        case 980...983, 990...999: reading.kind = .coupon
        // In the United States these are old coupons.
        case 50...59 where settings.region == .unitedStates: reading.kind = .coupon
        case 50...59, 951, 984...989: reading.problems.append(.reservedPrefix(gtin))
        case 952: reading.problems.append(.demonstrationNumber(gtin))
        default: break
        }
        return reading
    }

    private func inStoreOrOpaque(
        _ reading: Reading, _ gtin: GTIN, _ scope: InStoreCode.Scope, in text: String
    ) -> Reading {
        if !hasOwnPatterns, let inStore = inStore(reading, gtin, scope, in: text) { return inStore }
        var reading = reading
        reading.kind = .inStore
        reading.inStore = InStoreCode(
            scope: scope, item: nil, price: nil, currency: nil, weight: nil, count: nil,
            valueCheckDigit: nil, lookupGTIN: gtin)
        return reading
    }

    /// The number by the first layout that fits; other layouts of the region that fit as well are
    /// alternatives.
    private func inStore(
        _ reading: Reading, _ gtin: GTIN, _ scope: InStoreCode.Scope, in text: String
    ) -> Reading? {
        var readings: [Reading] = []
        for (index, pattern) in patterns.enumerated() where pattern.fits(reading.symbology) {
            let currency = settings.region?.currency
            guard let code = pattern.read(gtin, scope: scope, currency: currency) else { continue }
            var found = reading
            found.kind = .inStore
            found.inStore = code
            if code.valueCheckDigit == .invalid {
                found.problems.append(pattern.wrongCheckDigit(gtin, text))
            }
            readings.append(found)
            // What the shop declares needs no second guess.
            if index < settings.inStorePatterns.count { break }
        }
        guard var assumed = readings.first else { return nil }
        assumed.alternatives = Array(readings.dropFirst())
        // A layout without a check digit for the price fits, too, so no rule is broken for sure.
        if readings.count > 1 { assumed.problems = assumed.problems.map(\.asWarning) }
        return assumed
    }
}

extension InStorePattern {
    /// Whether the pattern is of a length that a symbology carries.
    fileprivate func fits(_ symbology: Symbology?) -> Bool {
        switch symbology {
        case .ean8: letters.count == 8
        case .itf14: letters.count >= 12
        default: (12...13).contains(letters.count)
        }
    }
}
