extension ContentRule {
    /// Checks that a component is one of a published list of codes.
    func codeListViolation(in value: Span<UInt8>) -> Violation? {
        let all = 0..<value.count
        switch self {
        case .iso3166:
            guard !PublishedCodeList.countryNumbers.contains(value) else { return nil }
            return Violation(.invalidCountry, all, "a country's three digits (ISO 3166)")
        case .iso3166999:
            guard value.number != 999, !PublishedCodeList.countryNumbers.contains(value) else {
                return nil
            }
            return Violation(.invalidCountry, all, "a country's three digits (ISO 3166) or 999")
        case .iso3166alpha2:
            guard !PublishedCodeList.countryLetters.contains(value) else { return nil }
            return Violation(.invalidCountry, all, "a country's two letters (ISO 3166)")
        case .iso4217:
            guard !PublishedCodeList.currencies.contains(value) else { return nil }
            return Violation(.invalidCurrency, all, "a currency's three digits (ISO 4217)")
        case .packagetype:
            guard !PublishedCodeList.packages.contains(value) else { return nil }
            return Violation(.invalidPackageType, all, "a package type (UN/ECE 21, GS1)")
        case .mediatype:
            guard let number = value.number, (1...10).contains(number) || number >= 80 else {
                return Violation(.invalidMediaType, all, "a media type 01 to 10 or 80 to 99")
            }
            return nil
        default:
            guard let number = value.number, [0, 1, 2, 9].contains(number) else {
                return Violation(.invalidSex, all, "a code 0, 1, 2 or 9 (ISO 5218)")
            }
            return nil
        }
    }
}
