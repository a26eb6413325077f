package import Barcodes
import GRDB
import Synchronization
import WireText

extension CatalogFile: ProductSource {
    package var name: String { "embedded" }

    /// Looks up the product a barcode names, under one of its keys after the other; `observe` gets each key
    /// that was tried, and what it found.
    ///
    /// If several products have the code, the one whose id comes first (byte order) is the product, and the
    /// others are among the `candidates`.
    package func match(
        for barcode: Barcode, observe: (LookupKey, Match?) -> Void = { _, _ in }
    ) throws -> Match? {
        try read { try Self.match($0, for: barcode, observe: observe) }
    }

    static func match(
        _ db: Database, for barcode: Barcode, observe: (LookupKey, Match?) -> Void = { _, _ in }
    ) throws -> Match? {
        for key in barcode.lookupKeys {
            let match = try match(db, under: key)
            observe(key, match)
            if let match { return match }
        }
        return nil
    }

    private static func match(_ db: Database, under key: LookupKey) throws -> Match? {
        switch key {
        case .gtin(let gtin, _): return try ProductRows.match(db, .key(gtin.text))
        case .text(let text): return try match(db, text: text)
        case .unique(let text):
            let match = try match(db, text: text)
            return match?.isAmbiguous == true ? nil : match
        }
    }

    /// Looks up the product that has a code as typed.
    package func match(forText text: String) throws -> Match? {
        try read { try Self.match($0, text: text) }
    }

    /// Finds a product by its id.
    package func product(id: String) throws -> Product? {
        try read { try ProductRows.product($0, id: id)?.product }
    }

    package func immediateAnswer(for barcode: Barcode) -> LookupAnswer? { answer(for: barcode) }

    package func lookup(_ barcode: Barcode, within limit: Duration) async -> LookupAnswer {
        answer(for: barcode)
    }

    /// Looks up the product a barcode names; what ``match(for:observe:)`` throws is part of the answer.
    package func answer(
        for barcode: Barcode, observe: (LookupKey, Match?) -> Void = { _, _ in }
    ) -> LookupAnswer {
        LookupAnswer.catching {
            let match = try match(for: barcode, observe: observe)
            return LookupAnswer(match.map(LookupOutcome.found) ?? .notFound, origin: .embedded)
        }
    }

    /// Finds a code as written, or else one that is the same number with something around it, or else
    /// one in other capital or small letters, if a single product has it.
    private static func match(_ db: Database, text: String) throws -> Match? {
        let text = VisibleText.composed(text)
        if let match = try ProductRows.match(db, .text(text, key: CodeKeys(text).first)) {
            return match
        }
        if let match = try ProductRows.match(db, .key(text)) { return match }
        guard text.utf8.contains(where: isLetter),
            let match = try ProductRows.match(db, .folded(text)), !match.isAmbiguous
        else { return nil }
        return match
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

/// An embedded catalog whose file is not there yet: products are looked up as soon as it is.
///
/// A file without products counts as none. It is one that an import has just begun to fill, and would
/// answer that nothing is known.
package final class AwaitedCatalog: ProductSource {
    package let name = "embedded"
    private let path: String
    private let catalog = Mutex<CatalogFile?>(nil)

    /// Opens nothing yet.
    package init(path: String) { self.path = path }

    package func immediateAnswer(for barcode: Barcode) -> LookupAnswer? {
        LookupAnswer.catching { try opened()?.answer(for: barcode) ?? LookupAnswer(.skipped) }
    }

    package func lookup(_ barcode: Barcode, within limit: Duration) async -> LookupAnswer {
        immediateAnswer(for: barcode) ?? LookupAnswer(.skipped)
    }

    /// The catalog; nil while there is none.
    package func opened() throws -> CatalogFile? {
        try catalog.withLock { catalog in
            if let catalog { return catalog }
            do {
                let opened = try CatalogFile(path: path)
                let sql = "SELECT EXISTS (SELECT 1 FROM product)"
                if try opened.read({ try Bool.fetchOne($0, sql: sql) }) == true { catalog = opened }
            } catch CatalogError.missing, CatalogError.notACatalog {}
            return catalog
        }
    }
}

extension LookupAnswer {
    fileprivate static func catching(_ body: () throws -> LookupAnswer) -> LookupAnswer {
        do {
            return try body()
        } catch {
            return LookupAnswer(.failed(LookupFailure(.unusableCatalog, "\(words: "\(error)")")))
        }
    }
}
