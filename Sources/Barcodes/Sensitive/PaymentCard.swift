/// Functions that recognise payment card numbers.
///
/// Rule: ISO/IEC 7812-1; the card networks publish the issuers' ranges.
enum PaymentCard {
    /// Whether the bytes are a card number with a correct check digit.
    static func isNumber(_ bytes: [UInt8]) -> Bool {
        guard let digits = digits(bytes) else { return false }
        return issuers(of: digits).contains { $0.lengths.contains(digits.count) }
            && CheckDigit.isLuhn(digits)
    }

    /// Whether the text contains a card number, or an incomplete one with more digits than may be shown.
    static func isHeld(in look: Look) -> Bool {
        let rows = look.folded.split { !$0.isDigit && $0 != 0x20 && $0 != "-" }
        return (rows.map(Array.init) + [look.folded.filter(\.isDigit)]).contains {
            isNumber($0) || isFragment($0)
        }
    }

    /// Whether the bytes are an incomplete card number with more digits than may be shown.
    ///
    /// A valid GTIN does not count as a card number.
    ///
    /// Rule: PCI DSS, requirement 3.5.1, and its FAQ 1091: of 16 or more digits, 12 may be shown; of 15 digits, 11.
    private static func isFragment(_ bytes: [UInt8]) -> Bool {
        guard let digits = digits(bytes) else { return false }
        if (try? GTIN(String(decoding: digits, as: UTF8.self))) != nil { return false }
        return issuers(of: digits).contains { issuer in
            issuer.lengths.contains { digits.count < $0 && digits.count > ($0 == 15 ? 11 : 12) }
        }
    }

    /// Returns the 12 to 19 digits of a possible card number; nil for any other text.
    private static func digits(_ bytes: [UInt8]) -> [UInt8]? {
        let groups = bytes.prefix { $0 != "=" }
            .split { $0 <= 0x20 || $0 == "-" }
        let digits = Array(groups.joined())
        guard (12...19).contains(digits.count), digits.allSatisfy(\.isDigit),
            groups.count == 1 || groups.allSatisfy({ $0.count <= 6 })
        else { return nil }
        return digits
    }

    private typealias Issuer = (first: Int, last: Int, lengths: [Int])

    /// The ranges of a card number's first six digits that belong to card networks, each with the valid lengths.
    ///
    /// ISO reserved wider ranges for the networks, but those ranges also contain shops' gift and loyalty cards.
    private static let issuers: [Issuer] = [
        (220_000, 220_599, [16, 19]),  // Mir, Borica
        (222_100, 272_099, [16]),  // Mastercard
        (300_000, 305_999, [16, 19]), (309_500, 309_599, [16, 19]),  // Diners Club
        (340_000, 349_999, [15]), (370_000, 379_999, [15]),  // American Express
        (352_800, 358_999, [16, 19]),  // JCB
        (360_000, 369_999, [16, 19]), (380_000, 399_999, [16, 19]),  // Diners Club
        (400_000, 499_999, [16, 19]),  // Visa
        (500_000, 509_999, [16, 19]),  // Maestro, Dankort, Elo, RuPay, Verve
        (510_000, 559_999, [16]),  // Mastercard
        (560_000, 589_999, [16, 19]), (630_400, 630_499, [16, 19]),  // Maestro
        (601_100, 601_199, [16, 19]),  // Discover
        (606_282, 606_282, [16, 19]),  // Hipercard
        (606_985, 608_500, [16]),  // RuPay
        (620_000, 626_999, [16, 19]), (628_200, 628_899, [16, 19]),  // UnionPay
        (636_297, 636_368, [16]), (637_095, 637_612, [16]),  // Elo, Hiper
        (644_000, 659_999, [16, 19]),  // Discover, Elo, RuPay, Troy, Verve
        (670_000, 679_999, [16, 19]),  // Maestro
        (810_000, 820_199, [16, 19]),  // UnionPay, RuPay
        (979_200, 979_289, [16]),  // Troy
        (860_000, 860_099, [16]), (986_000, 986_099, [16]),  // Uzcard, Humo
    ]

    private static func issuers(of digits: [UInt8]) -> [Issuer] {
        let start = digits.prefix(6).reduce(0) { $0 * 10 + $1.digitValue }
        return issuers.filter { $0.first <= start && start <= $0.last }
    }
}
