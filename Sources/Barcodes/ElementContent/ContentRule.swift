import WireText

extension ContentRule {
    struct Violation {
        let code: Problem.Code
        /// The bad bytes, counted from the start of the component.
        let range: Range<Int>
        /// What belongs there, as the object of "expected".
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

    func violation(in value: Span<UInt8>) -> Violation? {
        let all = 0..<value.count
        return switch self {
        case .csetnumeric, .cset82, .cset39, .cset64: characterViolation(in: value)
        case .yymmd0, .yymmdd, .yyyymmdd, .hh, .mi, .ss, .hhmi: timeViolation(in: value)
        case .csum, .csumalpha, .gcppos1, .gcppos2: keyViolation(in: value)
        case .couponcode: CouponReader.violation(in: value)
        case .couponposoffer: CouponReader.positiveOfferViolation(in: value)
        case .iban: Self.ibanViolation(in: value)
        case .latitude, .longitude, .pieceoftotal, .posinseqslash: numberViolation(in: value)
        case .iso3166, .iso3166999, .iso3166alpha2, .iso4217, .iso5218, .mediatype, .packagetype:
            isListed(value) ? nil : Violation(all, listName)
        case .hyphen: value.stranger("a hyphen") { $0 == UInt8(ascii: "-") }
        case .winding:
            value.stranger("a winding direction 0, 1 or 9") { "019".utf8.contains($0) }
        case .yesno: value.stranger("0 for no or 1 for yes") { "01".utf8.contains($0) }
        case .zero: value.stranger("the digit 0") { $0 == UInt8(ascii: "0") }
        case .importeridx:
            value.stranger("a letter, digit, - or _") { CharacterSet128.cset64.contains($0) }
        case .hasnondigit:
            value.hasOnly(\.isDigit)
                ? Violation(all, "at least one character that is no digit") : nil
        case .nonzero:
            value.hasOnly { $0 == UInt8(ascii: "0") }
                ? Violation(all, "a number other than 0") : nil
        case .nozeroprefix:
            value.count > 1 && value[0] == UInt8(ascii: "0")
                ? Violation(0..<1, "a number without leading zero") : nil
        case .pcenc: Self.percentViolation(in: value)
        }
    }

    private static func percentViolation(in value: Span<UInt8>) -> Violation? {
        let fault = PercentEncoding.fault(in: value.string(0..<value.count)) { _ in true }
        guard case .percentSign(let offset) = fault else { return nil }
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

    fileprivate func hasOnly(_ isMeant: (UInt8) -> Bool) -> Bool {
        firstIndex { !isMeant($0) } == nil
    }
}

extension ContentRule {
    func characterViolation(in value: Span<UInt8>) -> Violation? {
        switch self {
        case .csetnumeric: return value.stranger("a digit", .wrongCharacter, unless: \.isDigit)
        case .cset82: return Self.stranger(to: .cset82, "82", in: value)
        case .cset39: return Self.stranger(to: .cset39, "39", in: value)
        default:
            // Base64 for file names, of which the padding may be left out.
            var end = value.count
            while end > 0, value[end - 1] == UInt8(ascii: "=") { end -= 1 }
            let padding = value.count - end
            if padding > 2 || padding > 0 && value.count % 3 != 0 {
                return Violation(
                    end..<value.count, "no or one or two characters = as padding", .wrongCharacter)
            }
            return Self.stranger(to: .cset64, "64", in: value.extracting(0..<end))
        }
    }

    private static func stranger(
        to set: CharacterSet128, _ name: String, in value: Span<UInt8>
    ) -> Violation? {
        value.firstIndex { !set.contains($0) }.map {
            Violation($0..<$0 + 1, "a character of GS1's character set \(name)", .wrongCharacter)
        }
    }
}

struct CharacterSet128 {
    private var isMember = [Bool](repeating: false, count: 256)

    init(_ others: String, smallLetters: Bool) {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        let all = letters + (smallLetters ? letters.lowercased() : "") + "0123456789" + others
        for byte in all.utf8 { isMember[Int(byte)] = true }
    }

    func contains(_ byte: UInt8) -> Bool { isMember[Int(byte)] }

    /// Rule: GS1 General Specifications, figure 7.11-1.
    static let cset82 = CharacterSet128("!\"%&'()*+,-./:;<=>?_", smallLetters: true)
    /// Rule: GS1 General Specifications, figure 7.11-2.
    static let cset39 = CharacterSet128("#-/", smallLetters: false)
    /// Rule: GS1 General Specifications, figure 7.11-3; without the padding.
    static let cset64 = CharacterSet128("-_", smallLetters: true)
}
