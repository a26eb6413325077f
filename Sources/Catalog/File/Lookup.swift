package import Barcodes
import GRDB
import WireText

extension CatalogFile: ProductSource {
    /// Looks up a barcode by its `lookupKeys`; calls `observe` with each tried key and its match, if any.
    package func match(
        for barcode: Barcode, observe: (LookupKey, Match?) -> Void = { _, _ in }
    ) throws -> Match? {
        try read { try Self.match($0, for: barcode, observe: observe) }
    }

    static func match(
        _ db: Database, for barcode: Barcode, observe: (LookupKey, Match?) -> Void = { _, _ in }
    ) throws -> Match? {
        for key in barcode.lookupKeys {
            var match: Match?
            switch key {
            case .gtin(let gtin, _):
                match = try ProductRows.match(db, ProductRows.byKey, [gtin.text], as: .gtin)
            case .text(let text), .unique(let text): match = try Self.match(db, text: text)
            }
            if case .unique = key, match?.isAmbiguous == true { match = nil }
            observe(key, match)
            if let match { return match }
        }
        return nil
    }

    /// Looks up a text as a code, without decoding it as a barcode.
    package func match(forText text: String) throws -> Match? {
        try read { try Self.match($0, text: text) }
    }

    package func product(id: String) throws -> Product? {
        try read { try ProductRows.product($0, where: "p.id = ?", id) }
    }

    package func immediateAnswer(for barcode: Barcode) -> LookupAnswer? { answer(for: barcode) }

    /// Looks up a barcode as ``match(for:observe:)`` does, but returns errors as answers.
    package func answer(
        for barcode: Barcode, observe: (LookupKey, Match?) -> Void = { _, _ in }
    ) -> LookupAnswer {
        do {
            let match = try match(for: barcode, observe: observe)
            return LookupAnswer(match.map(LookupOutcome.found) ?? .notFound, origin: .embedded)
        } catch {
            return .unusable(error)
        }
    }

    /// Finds products by exact code, else by key (see ``CodeKeys``), else by key ignoring case if only one matches.
    private static func match(_ db: Database, text: String) throws -> Match? {
        let text = VisibleText.composed(text)
        let exact = [CodeKeys(text).first, text]
        if let match = try ProductRows.match(db, ProductRows.byText, exact, as: .text)
            ?? ProductRows.match(db, ProductRows.byKey, [text], as: .gtin)
        {
            return match
        }
        guard text.utf8.contains(where: { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }),
            let match = try ProductRows.match(db, ProductRows.byFoldedKey, [text], as: .text),
            !match.isAmbiguous
        else { return nil }
        return match
    }
}
