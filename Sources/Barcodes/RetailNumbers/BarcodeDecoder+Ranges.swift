extension BarcodeDecoder {
    /// Tells what the first digits of a number reserve it for.
    ///
    /// Rule: GS1 General Specifications, figures 1.4.3-1 (GS1 Prefixes) and 1.4.3-2 (GS1-8
    /// Prefixes).
    func classify(_ gtin: GTIN, _ barcode: inout Barcode) {
        if hasOwnPatterns, takeInStore(gtin, .company, &barcode) { return }
        if barcode.symbology == .ean8 {
            let prefix = gtin.number / 10_000_000
            if prefix == 0 || prefix == 2 { takeInStoreOrOpaque(gtin, .company, &barcode) }
            return
        }
        switch gtin.number / 10_000_000_000 {
        // Most products: nothing there is reserved for anything.
        case 300...950: break
        case 20...29, 200...299: takeInStoreOrOpaque(gtin, .region, &barcode)
        case 40...49: takeInStoreOrOpaque(gtin, .company, &barcode)
        case 977: barcode.kind = .issn
        case 978...979: if ISBN(gtin: gtin) != nil { barcode.kind = .isbn }
        case 980...983, 990...999: barcode.kind = .coupon
        case 50...59: takeReserved(gtin, &barcode)
        case 951, 984...989: barcode.problems.append(.reservedPrefix(gtin))
        case 952: barcode.problems.append(.demonstrationNumber(gtin))
        default: break
        }
    }

    /// Numbers that start with 05 are reserved; in the United States they are old coupons.
    private func takeReserved(_ gtin: GTIN, _ barcode: inout Barcode) {
        if settings.region == .unitedStates {
            barcode.kind = .coupon
        } else {
            barcode.problems.append(.reservedPrefix(gtin))
        }
    }

    private func takeInStoreOrOpaque(
        _ gtin: GTIN, _ scope: InStoreCode.Scope, _ barcode: inout Barcode
    ) {
        if !hasOwnPatterns, takeInStore(gtin, scope, &barcode) { return }
        barcode.kind = .inStore
        barcode.inStore = InStoreCode(
            scope: scope, item: nil, price: nil, currency: nil, weight: nil, count: nil,
            valueCheckDigit: nil, lookupGTIN: gtin)
    }

    /// Reads a number by the first pattern that fits it.
    private func takeInStore(
        _ gtin: GTIN, _ scope: InStoreCode.Scope, _ barcode: inout Barcode
    ) -> Bool {
        for pattern in patterns where Self.fits(pattern, barcode.symbology) {
            guard
                let code = pattern.read(
                    gtin, scope: scope, currency: settings.region?.currency)
            else { continue }
            barcode.kind = .inStore
            barcode.inStore = code
            if code.valueCheckDigit == .invalid {
                barcode.problems.append(pattern.wrongCheckDigit(gtin, barcode.text))
            }
            return true
        }
        return false
    }

    /// Whether a pattern is of a length that a symbology carries.
    private static func fits(_ pattern: InStorePattern, _ symbology: Symbology?) -> Bool {
        switch symbology {
        case .ean8: pattern.letters.count == 8
        case .itf14: pattern.letters.count >= 12
        default: (12...13).contains(pattern.letters.count)
        }
    }
}
