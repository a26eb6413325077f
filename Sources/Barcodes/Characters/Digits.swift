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
        let bytes = text.utf8.span
        count = bytes.count
        guard count > 0, count <= 18 else { return nil }
        var number = 0
        var sum = 0
        var index = count & 1
        if index == 1 {
            guard bytes[0].isDigit else { return nil }
            number = bytes[0].digitValue
            sum = number
        }
        // In pairs up to the check digit: the first of each weighs 3, the second 1.
        while index < count {
            guard bytes[index].isDigit, bytes[index + 1].isDigit else { return nil }
            let first = bytes[index].digitValue
            let second = bytes[index + 1].digitValue
            number = number &* 100 &+ first &* 10 &+ second
            sum &+= first &* 3 &+ second
            index += 2
        }
        self.number = UInt64(number)
        weightedSum = sum
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
