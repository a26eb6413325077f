extension BarcodeDecoder {
    /// What cannot be read off a code.
    public struct Settings: Hashable, Sendable {
        /// What 8 digits are that fit both EAN-8 and UPC-E, when no AIM identifier tells.
        public enum EightDigits: String, Hashable, Sendable, CaseIterable {
            /// An EAN-8.
            case ean8 = "ean-8"
            /// A UPC-E.
            case upcE = "upc-e"
        }

        /// The country whose rules for in-store codes hold; nil for none.
        public var region: Region?
        /// The shop's own layouts of in-store codes, tried in order and ahead of the region's.
        public var inStorePatterns: [InStorePattern]
        /// What 8 digits are that fit both EAN-8 and UPC-E.
        public var ambiguousEightDigits: EightDigits

        /// Settings.
        ///
        /// - Parameters:
        ///   - region: The country whose rules for in-store codes hold; nil for none.
        ///   - ambiguousEightDigits: What 8 digits are that fit both EAN-8 and UPC-E.
        ///   - inStorePatterns: The shop's own layouts of in-store codes.
        public init(
            region: Region? = nil, ambiguousEightDigits: EightDigits = .ean8,
            inStorePatterns: [InStorePattern] = []
        ) {
            self.region = region
            self.ambiguousEightDigits = ambiguousEightDigits
            self.inStorePatterns = inStorePatterns
        }
    }
}
