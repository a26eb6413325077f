extension ContentRule {
    /// What a value breaks, and where.
    struct Violation {
        let code: Problem.Code
        /// The bad bytes, counted from the start of the component.
        let range: Range<Int>
        /// What belongs there, as the object of "expected".
        let expected: String

        init(_ code: Problem.Code, _ range: Range<Int>, _ expected: String) {
            self.code = code
            self.range = range
            self.expected = expected
        }
    }

    /// What a component breaks of the rule, or nil.
    func violation(in value: Span<UInt8>) -> Violation? {
        switch self {
        case .csetnumeric, .cset82, .cset39, .cset64: characterViolation(in: value)
        case .yymmd0, .yymmdd, .yyyymmdd: dateViolation(in: value)
        case .hh, .mi, .ss, .hhmi: timeViolation(in: value)
        case .csum, .csumalpha, .gcppos1, .gcppos2: keyViolation(in: value)
        case .iso3166, .iso3166999, .iso3166alpha2, .iso4217, .iso5218, .mediatype, .packagetype:
            codeListViolation(in: value)
        case .couponcode: CouponReader.violation(in: value)
        case .couponposoffer: PositiveOfferReader.violation(in: value)
        case .iban: Self.ibanViolation(in: value)
        case .latitude, .longitude, .pieceoftotal, .posinseqslash: numberViolation(in: value)
        case .hasnondigit, .hyphen, .importeridx, .nonzero, .nozeroprefix, .pcenc, .winding,
            .yesno, .zero:
            formatViolation(in: value)
        }
    }
}
