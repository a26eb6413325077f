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

        /// What a text without AIM identifier may hold that shows nothing else of itself.
        public enum Content: String, Hashable, Sendable, CaseIterable {
            /// Anything; GS1 element strings only with a separator or brackets.
            case any
            /// GS1 element strings too.
            case gs1
        }

        /// How a UPC-E comes without AIM identifier.
        public enum UPCE: String, Hashable, Sendable, CaseIterable {
            /// As UPC-A, or as 8 digits.
            case expanded
            /// Also without its number system (0), its check digit, or both: as 6 or 7 digits.
            case unexpanded
        }

        /// The country whose rules for in-store codes hold; nil for none.
        public var region: Region?
        /// The shop's own layouts of in-store codes, tried in order and ahead of the region's.
        public var inStorePatterns: [InStorePattern]
        /// What 8 digits are that fit both EAN-8 and UPC-E.
        public var ambiguousEightDigits: EightDigits
        /// What a text without AIM identifier may hold.
        public var content: Content
        /// How a UPC-E comes without AIM identifier.
        public var upcE: UPCE

        /// Settings.
        ///
        /// - Parameters:
        ///   - region: The country whose rules for in-store codes hold; nil for none.
        ///   - ambiguousEightDigits: What 8 digits are that fit both EAN-8 and UPC-E.
        ///   - inStorePatterns: The shop's own layouts of in-store codes.
        ///   - content: What a text without AIM identifier may hold.
        ///   - upcE: How a UPC-E comes without AIM identifier.
        public init(
            region: Region? = nil, ambiguousEightDigits: EightDigits = .ean8,
            inStorePatterns: [InStorePattern] = [], content: Content = .any,
            upcE: UPCE = .expanded
        ) {
            self.region = region
            self.ambiguousEightDigits = ambiguousEightDigits
            self.inStorePatterns = inStorePatterns
            self.content = content
            self.upcE = upcE
        }
    }
}
