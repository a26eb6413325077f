/// How codes are read.
public struct BarcodeConfiguration: Equatable, Sendable {
    /// What a code of eight digits is that could be either.
    public enum EightDigits: String, CaseIterable, Sendable {
        /// EAN-8.
        case ean8 = "ean-8"
        /// UPC-E.
        case upcE = "upc-e"
    }

    /// The country whose in-store rules hold: two capital letters (ISO 3166-1 alpha-2), or nil.
    public var region: String?
    /// What a code of eight digits is that is valid both as EAN-8 and as UPC-E.
    public var eightDigits: EightDigits

    /// Makes the settings; what is left out has its default.
    ///
    /// - Parameters:
    ///   - region: The country, or nil.
    ///   - eightDigits: What an ambiguous code of eight digits is.
    public init(region: String? = nil, eightDigits: EightDigits = .ean8) {
        self.region = region
        self.eightDigits = eightDigits
    }
}
