extension BarcodeDecoder {
    /// Whether the shop has its own in-store patterns, which may match any number.
    var hasOwnPatterns: Bool { !settings.inStorePatterns.isEmpty }

    /// Reads a number with a correct check digit as a product number, unless its prefix is reserved for another use.
    ///
    /// Rule: GS1 General Specifications, figures 1.4.3-1 (GS1 Prefixes) and 1.4.3-2 (GS1-8 Prefixes).
    @inline(__always)
    func product(_ gtin: GTIN, as symbology: Symbology, in text: String) -> Reading {
        // Most products have a prefix that is not reserved.
        let prefix = gtin.number / 10_000_000_000
        if !hasOwnPatterns, symbology != .ean8, (300...950).contains(prefix), prefix != 415 {
            return Reading(.gtin, symbology: symbology, gtin: gtin, checkDigit: .valid)
        }
        return reserved(gtin, as: symbology, in: text)
    }

    private func reserved(_ gtin: GTIN, as symbology: Symbology, in text: String) -> Reading {
        var reading = Reading(.gtin, symbology: symbology, gtin: gtin, checkDigit: .valid)
        if hasOwnPatterns, let inStore = inStore(reading, gtin, .company, in: text) {
            return inStore
        }
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
        case 415: reading.number = PZN(ntin: gtin)?.digits
        case 977: reading.kind = .issn
        case 978...979: if gtin.isISBN { reading.kind = .isbn }
        case 980...983, 990...999: reading.kind = .coupon
        // In the United States, these are old coupons.
        case 50...59 where settings.region == .unitedStates: reading.kind = .coupon
        case 50...59, 951, 984...989:
            reading.problems.append(
                Problem(
                    .warning, .reservedPrefix, "\"\(gtin)\" is not a product's number",
                    expected: "a prefix that GS1 assigns",
                    got: "the reserved \(gtin.text.dropFirst().prefix(3))"))
        case 952:
            reading.problems.append(
                Problem(
                    .warning, .demonstrationNumber, "\"\(gtin)\" is a number for demonstrations",
                    expected: "a product's", got: "GS1's prefix 952"))
        default: break
        }
        return reading
    }
}
