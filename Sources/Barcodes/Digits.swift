/// A text of nothing but ASCII digits, at most 18 of them.
struct Digits {
    /// The digits as a number.
    let number: UInt64
    /// How many digits there are.
    let count: Int
    /// The sum that is a multiple of ten where the last digit is the others' check digit.
    private let weightedSum: Int

    /// Reads a text, or nil where it is empty, longer than 18 or holds anything but digits.
    @inline(__always)
    init?(_ text: String) {
        let utf8 = text.utf8
        count = utf8.count
        guard count > 0, count <= 18 else { return nil }
        var number: UInt64 = 0
        var threes = 0
        var ones = 0
        for byte in utf8 {
            guard byte.isDigit else { return nil }
            number = number &* 10 &+ UInt64(byte.digitValue)
            (threes, ones) = (ones, threes &+ byte.digitValue)
        }
        self.number = number
        weightedSum = threes &* 3 &+ ones
    }

    /// The last digit.
    var last: Int { Int(number % 10) }

    /// The check digit the digits before the last one call for.
    var expectedCheckDigit: Int { (last + 10 - weightedSum % 10) % 10 }

    /// Whether the last digit is the check digit of the others.
    var isValid: Bool { weightedSum % 10 == 0 }

    /// The number a UPC-E of 8 digits stands for, or nil where it is none.
    var upcE: GTIN? {
        let system = number / 10_000_000
        guard count == 8, system <= 1 else { return nil }
        let expanded = GTIN.expansion(system: system, body: number / 10 % 1_000_000)
        return expanded % 10 == number % 10 ? GTIN(unchecked: expanded) : nil
    }

    /// The numbers that 6 to 8 digits of a UPC-E can stand for, the likeliest first.
    ///
    /// 8 are number system, six digits and check digit; 7 are those without the one or the other;
    /// 6 are without both, of number system 0.
    var upcECandidates: [GTIN] {
        switch count {
        case 8: upcE.map { [$0] } ?? []
        case 7: sevenDigitCandidates
        default: [GTIN(unchecked: GTIN.expansion(system: 0, body: number))]
        }
    }

    private var sevenDigitCandidates: [GTIN] {
        var candidates: [GTIN] = []
        if number < 2_000_000 {
            let expanded = GTIN.expansion(system: number / 1_000_000, body: number % 1_000_000)
            candidates.append(GTIN(unchecked: expanded))
        }
        let expanded = GTIN.expansion(system: 0, body: number / 10)
        if expanded % 10 == number % 10 { candidates.append(GTIN(unchecked: expanded)) }
        return candidates
    }
}
