import Barcodes
import WireText

extension BarcodeDecoder.Settings {
    static let section = Section("barcodes", BarcodeDecoder.Settings()) {
        Setting(
            "region", \.region, .choice,
            "The country whose rules hold for codes that a shop prints itself.")
        Setting(
            "in_store", \.inStorePatterns,
            .list("a list of patterns such as [21IIIIIPPPPPK]", of: .pattern)
                .omitting(\.isEmpty),
            """
            The shop's own layouts of such codes: I item, P price, W weight, N count, C price check \
            digit, X any digit, K check digit. A lookup also asks for the item, however it is listed.
            """)
        Setting(
            "eight_digits", \.ambiguousEightDigits, .choice,
            "What eight digits are that fit both EAN-8 and UPC-E, without AIM identifier.")
    }
}

extension Codec<InStorePattern> {
    fileprivate static let pattern = parsed(
        "the pattern of an in-store code such as 21IIIIIPPPPPK", read: InStorePattern.init,
        write: \.text)
}

extension String {
    /// Whether this is so many letters `A`…`Z` and nothing else.
    func isCapitals(_ count: Int) -> Bool {
        utf8.count == count && utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }
}
