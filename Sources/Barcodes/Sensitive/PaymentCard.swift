/// The numbers of payment cards.
///
/// Rule: ISO/IEC 7812-1; the issuers' ranges are those the card networks publish.
enum PaymentCard {
    /// Whether the bytes are a card's number, bare or in groups, or with what track 2 has behind
    /// it: of an issuer's range and length, with a right check digit, and no GTIN or SSCC.
    static func isNumber(_ bytes: Span<UInt8>) -> Bool {
        guard let digits = digits(bytes), digits.count >= 12, isIssued(digits),
            hasLuhnDigit(digits)
        else { return false }
        return !isGS1Key(digits.span)
    }

    /// Whether a text that broke off holds a card's number, or more of its beginning than may be shown:
    /// as a row of digits, or as all its digits together.
    static func isHeld(in bytes: [UInt8]) -> Bool {
        let rows = bytes.split { !$0.isDigit && $0 != 0x20 && $0 != UInt8(ascii: "-") }.map(
            Array.init)
        return (rows + [bytes.filter(\.isDigit)]).contains {
            isNumber($0.span) || isFragment($0.span)
        }
    }

    /// Whether the bytes are the beginning of a card's number and more of it than may be shown.
    ///
    /// Rule: PCI DSS, requirement 3.5.1, and its FAQ 1091: of a number of 16 digits and more, 12 may
    /// be left; of one of 15, 11. Of shorter ones 12 are taken for harmless here, for as many digits
    /// are those of a torn EAN-13.
    static func isFragment(_ bytes: Span<UInt8>) -> Bool {
        guard let digits = digits(bytes), digits.count > 11, !isGS1Key(digits.span) else {
            return false
        }
        let start = leadingNumber(digits)
        return issuers.contains {
            $0.first <= start && start <= $0.last && digits.count < $0.lengths.upperBound
                && digits.count > ($0.lengths == 15...15 ? 11 : 12)
        }
    }

    /// The digits of a number, bare or in groups, up to what track 2 has behind it; nil for another
    /// text, or more digits than a card has.
    private static func digits(_ bytes: Span<UInt8>) -> [UInt8]? {
        var digits: [UInt8] = []
        digits.reserveCapacity(20)
        for index in bytes.indices {
            let byte = bytes[index]
            if byte.isDigit {
                digits.append(byte)
            } else if byte == UInt8(ascii: "=") {
                break
            } else if byte != 0x20 && byte != UInt8(ascii: "-") {
                return nil
            }
            if digits.count > 19 { return nil }
        }
        return digits
    }

    /// First and last number of a range of leading digits, and the lengths of its cards.
    private struct Issuer {
        let first: Int
        let last: Int
        let lengths: ClosedRange<Int>

        init(_ first: Int, _ last: Int, _ lengths: ClosedRange<Int>) {
            self.first = first
            self.last = last
            self.lengths = lengths
        }
    }

    /// The issuers, by six leading digits.
    ///
    /// Visa's 13 digits of old are left out: no such card is issued any more, and one in ten
    /// misread EAN-13 from Germany would be taken for one.
    private static let issuers: [Issuer] = [
        Issuer(220_000, 220_599, 16...19),  // Mir, Borica
        Issuer(222_100, 272_099, 16...16),  // Mastercard
        Issuer(300_000, 305_999, 14...19),  // Diners Club
        Issuer(309_500, 309_599, 14...19),  // Diners Club
        Issuer(340_000, 349_999, 15...15),  // American Express
        Issuer(352_800, 358_999, 16...19),  // JCB
        Issuer(360_000, 369_999, 14...19),  // Diners Club
        Issuer(370_000, 379_999, 15...15),  // American Express
        Issuer(380_000, 399_999, 14...19),  // Diners Club
        Issuer(400_000, 499_999, 16...16),  // Visa
        Issuer(400_000, 499_999, 19...19),  // Visa
        Issuer(500_000, 509_999, 12...19),  // Maestro, Dankort, RuPay, Verve
        Issuer(510_000, 559_999, 16...16),  // Mastercard
        Issuer(560_000, 589_999, 12...19),  // Maestro
        Issuer(600_000, 609_999, 16...19),  // RuPay, Discover
        Issuer(620_000, 629_999, 16...19),  // UnionPay
        Issuer(630_000, 639_999, 12...19),  // Maestro, InterPayment, InstaPayment
        Issuer(640_000, 659_999, 16...19),  // Discover, RuPay, Troy
        Issuer(670_000, 679_999, 12...19),  // Maestro
        Issuer(810_000, 829_999, 16...19),  // UnionPay, RuPay
        Issuer(979_200, 979_289, 16...16),  // Troy
    ]

    private static func isIssued(_ digits: [UInt8]) -> Bool {
        let start = leadingNumber(digits)
        return issuers.contains {
            $0.first <= start && start <= $0.last && $0.lengths.contains(digits.count)
        }
    }

    /// The number of six digits by which issuers are told apart.
    private static func leadingNumber(_ digits: [UInt8]) -> Int {
        digits.prefix(6).reduce(0) { $0 * 10 + $1.digitValue }
    }

    /// Whether the sum of the digits, every second one from the right doubled, ends in 0.
    private static func hasLuhnDigit(_ digits: [UInt8]) -> Bool {
        let sum = digits.reversed().enumerated().reduce(0) { sum, digit in
            guard digit.offset % 2 == 1 else { return sum + digit.element.digitValue }
            let doubled = digit.element.digitValue * 2
            return sum + doubled / 10 + doubled % 10
        }
        return sum % 10 == 0
    }

    private static func isGS1Key(_ digits: Span<UInt8>) -> Bool {
        guard [12, 13, 14, 18].contains(digits.count), let number = digits.number else {
            return false
        }
        return CheckDigit.gs1(forNumber: UInt64(number / 10)) == UInt64(number % 10)
    }
}
