import WireText

extension ContentRule {
    struct Violation {
        let code: Problem.Code
        /// The bytes that break the rule, as offsets in the checked part of the value.
        let range: Range<Int>
        /// The rule's requirement, in words that follow "expected" in an error message.
        let expected: String

        init(_ range: Range<Int>, _ expected: String, _ code: Problem.Code = .invalidValue) {
            self.code = code
            self.range = range
            self.expected = expected
        }

        func moved(by offset: Int) -> Violation {
            Violation(
                range.lowerBound + offset..<range.upperBound + offset, expected, code)
        }
    }

    /// Finds the first violation in a value whose length and characters have been checked.
    func violation(in value: Span<UInt8>) -> Violation? {
        let number = value.number ?? 0
        return switch self {
        case .csetnumeric, .cset82, .cset39, .cset64: characterViolation(in: value)
        case .csum: Self.checkDigitViolation(in: value)
        case .csumalpha: Self.checkCharactersViolation(in: value)
        case .gcppos1: Self.companyPrefixViolation(in: value, from: 0)
        case .gcppos2: Self.companyPrefixViolation(in: value, from: 1)
        case .couponcode: CouponReader.violation(in: value)
        case .couponposoffer: CouponReader.positiveOfferViolation(in: value)
        case .yymmd0: Self.dateViolation(20_000_000 + number, at: 2, firstDay: 0)
        case .yymmdd: Self.dateViolation(20_000_000 + number, at: 2)
        case .yyyymmdd: Self.dateViolation(number, at: 4)
        case .hh: Self.timeViolation(number, upTo: 23, "an hour")
        case .mi: Self.timeViolation(number, upTo: 59, "a minute")
        case .ss: Self.timeViolation(number, upTo: 59, "a second")
        case .hhmi:
            Self.timeViolation(number / 100, upTo: 23, "an hour")
                ?? Self.timeViolation(number % 100, upTo: 59, "a minute", at: 2)
        case .iban: Self.ibanViolation(in: value)
        case .pieceoftotal: Self.pieceViolation(in: value)
        case .posinseqslash: Self.positionViolation(in: value)
        case .pcenc: Self.percentViolation(in: value)
        case .hyphen: value.stranger("a hyphen") { $0 == "-" }
        case .winding:
            value.stranger("a winding direction 0, 1 or 9") { "019".utf8.contains($0) }
        case .yesno: value.stranger("0 for no or 1 for yes") { "01".utf8.contains($0) }
        case .zero: value.stranger("the digit 0") { $0 == "0" }
        case .importeridx:
            value.stranger("a letter, digit, - or _") { CharacterSets.cset64[Int($0)] }
        case .nozeroprefix:
            value.count > 1 && value[0] == "0"
                ? Violation(0..<1, "a number without leading zero") : nil
        default: isKept(by: value, number) ? nil : Violation(0..<value.count, expectation)
        }
    }

    /// Whether the value obeys this rule; `number` is its numeric value, or 0 if it is not a number.
    private func isKept(by value: Span<UInt8>, _ number: Int) -> Bool {
        switch self {
        case .latitude: number <= 1_800_000_000
        case .longitude: number <= 3_600_000_000
        case .hasnondigit: value.firstIndex { !$0.isDigit } != nil
        case .nonzero: number != 0
        case .iso3166: PublishedCodeList.countryNumbers.contains(value)
        case .iso3166999: number == 999 || PublishedCodeList.countryNumbers.contains(value)
        case .iso3166alpha2: PublishedCodeList.countryLetters.contains(value)
        case .iso4217: PublishedCodeList.currencies.contains(value)
        case .iso5218: [0, 1, 2, 9].contains(number)
        case .mediatype: (1...10).contains(number) || number >= 80
        default: PublishedCodeList.packages.contains(value)
        }
    }

    private var expectation: String {
        switch self {
        case .latitude: "a number from 0000000000 to 1800000000"
        case .longitude: "a number from 0000000000 to 3600000000"
        case .hasnondigit: "at least one character that is not a digit"
        case .nonzero: "a number other than 0"
        case .iso3166: "a country's three digits (ISO 3166)"
        case .iso3166999: "a country's three digits (ISO 3166) or 999"
        case .iso3166alpha2: "a country's two letters (ISO 3166)"
        case .iso4217: "a currency's three digits (ISO 4217)"
        case .iso5218: "a code 0, 1, 2 or 9 (ISO 5218)"
        case .mediatype: "a media type 01 to 10 or 80 to 99"
        default: "a package type (UN/ECE 21, GS1)"
        }
    }

    private static func percentViolation(in value: Span<UInt8>) -> Violation? {
        let fault = PercentEncoding.fault(in: value.string(0..<value.count)[...]) { _ in true }
        guard let offset = fault?.offset else { return nil }
        return Violation(
            offset..<min(offset + 3, value.count), "two hexadecimal digits after %")
    }
}

extension Span<UInt8> {
    fileprivate func stranger(
        _ expected: String, _ code: Problem.Code = .invalidValue,
        unless isAllowed: (UInt8) -> Bool
    ) -> ContentRule.Violation? {
        firstIndex { !isAllowed($0) }.map { .init($0..<$0 + 1, expected, code) }
    }
}

extension ContentRule {
    func characterViolation(in value: Span<UInt8>) -> Violation? {
        switch self {
        case .csetnumeric: return value.stranger("a digit", .wrongCharacter, unless: \.isDigit)
        case .cset82: return Self.stranger(to: CharacterSets.cset82, "82", in: value)
        case .cset39: return Self.stranger(to: CharacterSets.cset39, "39", in: value)
        default:
            // Character set 64 is that of base64url; its padding is optional.
            var end = value.count
            while end > 0, value[end - 1] == "=" { end -= 1 }
            let padding = value.count - end
            if padding > 2 || padding > 0 && value.count % 3 != 0 {
                return Violation(
                    end..<value.count, "no or one or two characters = as padding", .wrongCharacter)
            }
            return Self.stranger(to: CharacterSets.cset64, "64", in: value.extracting(0..<end))
        }
    }

    private static func stranger(
        to set: [Bool], _ name: String, in value: Span<UInt8>
    ) -> Violation? {
        value.firstIndex { !set[Int($0)] }.map {
            Violation($0..<$0 + 1, "a character of GS1's character set \(name)", .wrongCharacter)
        }
    }
}

/// GS1's character sets, as arrays with one Boolean for each byte value.
enum CharacterSets {
    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

    /// Character set 82 (GS1 General Specifications, figure 7.11-1).
    static let cset82 = members(letters + letters.lowercased() + "!\"%&'()*+,-./:;<=>?_")
    /// Character set 39 (GS1 General Specifications, figure 7.11-2).
    static let cset39 = members(letters + "#-/")
    /// Character set 64 without the padding character (GS1 General Specifications, figure 7.11-3).
    static let cset64 = members(letters + letters.lowercased() + "-_")

    private static func members(_ characters: String) -> [Bool] {
        (UInt8.min...UInt8.max).map { $0.isDigit || characters.utf8.contains($0) }
    }
}
