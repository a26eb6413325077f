extension InStorePattern {
    /// Reads a code without verifying its final check digit; nil if the pattern does not fit.
    func read(_ digits: String, _ scope: InStoreCode.Scope, _ currency: String?) -> InStoreCode? {
        let bytes = Array(digits.utf8)
        guard bytes.count == letters.count,
            zip(letters, bytes).allSatisfy({ $1.isDigit && (!$0.isDigit || $0 == $1) })
        else { return nil }
        let isWrong = expectedCheck(bytes).map { $0.expected != $0.found }
        func decimal(_ measure: Measure) -> DecimalNumber? {
            guard let value = values.first(where: { $0.measure == measure }),
                isWrong != true || value != checked
            else { return nil }
            return DecimalNumber(
                significand: bytes[value.places].reduce(0) { $0 * 10 + UInt64($1.digitValue) },
                decimals: value.decimals)
        }
        let price = decimal(.price)
        return InStoreCode(
            scope: scope, item: item(bytes), price: price,
            currency: price == nil ? nil : currency, weight: decimal(.weight),
            count: decimal(.count).map { Int($0.significand) },
            valueCheckDigit: isWrong.map { $0 ? .invalid : .valid }, listings: listings(bytes))
    }

    /// Returns the GTIN written with as many digits as a code of this pattern has, so that the pattern can read it.
    ///
    /// Returns nil if the GTIN has more digits (leading zeros do not count), or if ``isRetailNumber`` is false.
    func digits(of gtin: GTIN) -> String? {
        guard isRetailNumber, gtin.text.dropLast(letters.count).allSatisfy({ $0 == "0" })
        else { return nil }
        return String(gtin.text.suffix(letters.count))
    }

    /// Whether a code's check digit is correct; always true for patterns without a check digit.
    func accepts(checkDigitOf digits: String) -> Bool {
        !hasCheckDigit
            || CheckDigit.gs1(for: digits.dropLast()) == digits.utf8.last.map(\.digitValue)
    }

    /// Returns a problem if the check digit of the price, weight or count is wrong.
    func wrongCheckDigit(_ digits: String, in text: String) -> Problem? {
        expectedCheck(Array(digits.utf8)).flatMap { check in
            guard check.expected != check.found else { return nil }
            let at = max(0, check.place + text.utf8.count - letters.count)
            return Problem(
                .error, .wrongPriceCheckDigit,
                "\"\(text)\" has a wrong check digit of price or weight",
                expected: "\(check.expected)", got: "\(check.found)", at: at..<at + 1)
        }
    }

    private func expectedCheck(_ bytes: [UInt8]) -> (place: Int, expected: Int, found: Int)? {
        guard let checked, let place = letters.firstIndex(of: UInt8(ascii: "C")) else { return nil }
        let expected = CheckDigit.priceOrWeight(bytes[checked.places].map(\.digitValue))
        return (place, expected, bytes[place].digitValue)
    }

    private func item(_ bytes: [UInt8]) -> String? {
        let digits = letters.indices.filter { letters[$0] == "I" }.map { bytes[$0] }
        return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
    }
}

extension InStorePattern {
    /// Returns the texts under which a shop may list the item, most specific first.
    ///
    /// 1. The code with zeros for the price, weight or count, then for `X` too; its check digit, if any, is correct.
    /// 2. Variants of both: check digit 0 or none; for a UPC-A, also no leading zero; if all values follow the item's
    ///    number, cut off one digit after it or directly after it. Omits those that may be another product's number.
    /// 3. The item's number alone.
    private func listings(_ bytes: [UInt8]) -> [String] {
        var whole: [String] = []
        var shortened: [Substring] = []
        for varying in ["PWNCK", "PWNCKX"] {
            let zeros = String(
                decoding: zip(letters, bytes).map { letter, digit in
                    varying.utf8.contains(letter) ? UInt8(ascii: "0") : digit
                }, as: UTF8.self)
            if hasCheckDigit, let check = CheckDigit.gs1(for: zeros.dropLast()) {
                whole.append(zeros.dropLast() + String(check))
                let body = [zeros[...], zeros.dropLast()]
                let isUPCA = letters.count == 13 && zeros.hasPrefix("0")
                shortened += isUPCA ? body + body.map { $0.dropFirst() } : body
            } else {
                whole.append(zeros)
            }
            if let last = letters.lastIndex(of: UInt8(ascii: "I")),
                last < values[0].places.lowerBound
            {
                shortened += [zeros.prefix(last + 2), zeros.prefix(last + 1)]
            }
        }
        let item = item(bytes).map { [$0] } ?? []
        return whole + shortened.map(String.init).filter { !Self.isProductNumber($0) } + item
    }

    private static func isProductNumber(_ text: String) -> Bool {
        if GTIN(upcE: text) != nil { return true }
        guard (try? GTIN(text)) != nil else { return false }
        let aim = text.utf8.count == 8 ? "]E4" : nil
        return BarcodeDecoder().decode(text, aim: aim).kind != .inStore
    }
}
