extension InStorePattern {
    /// Reads a code, or nil where the pattern does not fit it.
    func read(_ gtin: GTIN, scope: InStoreCode.Scope, currency: String?) -> InStoreCode? {
        let digits = GTIN.digits(of: gtin.number, count: letters.count)
        guard let bytes = matching(Array(digits.utf8), gtin) else { return nil }
        let number = bytes[value].reduce(0) { $0 * 10 + UInt64($1.digitValue) }
        let verdict = places(of: UInt8(ascii: "C")).first.map { place in
            let expected = CheckDigit.priceOrWeight(bytes[value].map(\.digitValue))
            return expected == bytes[place].digitValue ? CheckDigitVerdict.valid : .invalid
        }
        // A value whose check digit is wrong is not passed on.
        let decimal =
            verdict == .invalid ? nil : DecimalNumber(significand: number, decimals: decimals)
        return InStoreCode(
            scope: scope,
            item: String(decoding: places(of: UInt8(ascii: "I")).map { bytes[$0] }, as: UTF8.self),
            price: measure == .price ? decimal : nil,
            currency: measure == .price ? currency : nil,
            weight: measure == .weight ? decimal : nil,
            count: measure == .count && decimal != nil ? Int(number) : nil,
            valueCheckDigit: verdict, lookupGTIN: zeroed(bytes))
    }

    /// The digits, where they fit the pattern's own digits and the number has no more digits.
    private func matching(_ bytes: [UInt8], _ gtin: GTIN) -> [UInt8]? {
        var limit: UInt64 = 1
        for _ in letters { limit *= 10 }
        guard gtin.number < limit else { return nil }
        let fits = zip(letters, bytes).allSatisfy { letter, digit in
            !letter.isDigit || letter == digit
        }
        return fits ? bytes : nil
    }

    private func places(of letter: UInt8) -> [Int] {
        letters.indices.filter { letters[$0] == letter }
    }

    /// The number with zeros for the value and its check digit, which is then 0 by both rules.
    private func zeroed(_ bytes: [UInt8]) -> GTIN {
        var number: UInt64 = 0
        for (index, byte) in bytes.dropLast().enumerated() {
            let isZero = value.contains(index) || letters[index] == UInt8(ascii: "C")
            number = number * 10 + (isZero ? 0 : UInt64(byte.digitValue))
        }
        return GTIN(unchecked: number * 10 + CheckDigit.gs1(forNumber: number))
    }

    /// A check digit of price, weight or count that does not fit.
    func wrongCheckDigit(_ gtin: GTIN, _ text: String) -> Problem {
        let bytes = Array(GTIN.digits(of: gtin.number, count: letters.count).utf8)
        let place = places(of: UInt8(ascii: "C")).first ?? 0
        let expected = CheckDigit.priceOrWeight(bytes[value].map(\.digitValue))
        let at = max(0, text.utf8.count - letters.count + place)
        return Problem(
            code: .wrongPriceCheckDigit, severity: .error,
            message: "\"\(text)\" has a wrong check digit of price or weight: "
                + "expected \(expected), got \(bytes[place].digitValue).",
            span: at..<at + 1)
    }
}
