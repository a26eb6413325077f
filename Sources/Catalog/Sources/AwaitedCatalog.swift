package import Barcodes
import GRDB
import Synchronization
import WireText

/// An embedded catalog whose file is not there yet: products are looked up as soon as it is.
///
/// A file without products counts as none. It is one that an import has just begun to fill, and would
/// answer that nothing is known.
package final class AwaitedCatalog: ProductSource {
    /// What the source is called: as the catalog it becomes.
    package let name = "embedded"
    private let path: String
    private let scope: CatalogScope?
    private let catalog = Mutex<EmbeddedCatalog?>(nil)

    /// Makes a source; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - path: The file that is to come.
    ///   - scope: The shop as which it is read; nil for all articles.
    package init(path: String, scope: CatalogScope? = nil) {
        self.path = path
        self.scope = scope
    }

    /// Looks up the product a barcode names.
    ///
    /// - Parameter barcode: The decoded scan.
    /// - Returns: What was found; skipped while there is no catalog.
    package func immediateAnswer(for barcode: Barcode) -> LookupAnswer? {
        do {
            return try opened()?.immediateAnswer(for: barcode) ?? LookupAnswer(.skipped)
        } catch {
            return LookupAnswer(.failed(LookupFailure(.unusableCatalog, "\(words: "\(error)")")))
        }
    }

    /// Looks up the product a barcode names.
    ///
    /// - Parameters:
    ///   - barcode: The decoded scan.
    ///   - limit: Does not matter here.
    /// - Returns: What was found; skipped while there is no catalog.
    package func lookup(_ barcode: Barcode, within limit: Duration) async -> LookupAnswer {
        immediateAnswer(for: barcode) ?? LookupAnswer(.skipped)
    }

    /// The catalog; nil while there is none.
    ///
    /// - Throws: `CatalogError`.
    package func opened() throws -> EmbeddedCatalog? {
        try catalog.withLock { catalog in
            if let catalog { return catalog }
            do {
                let whole = try EmbeddedCatalog(path: path)
                guard try whole.hasProducts() else { return nil }
                let opened = try whole.seen(in: scope)
                catalog = opened
                return opened
            } catch CatalogError.missing, CatalogError.notACatalog {
                return nil
            }
        }
    }
}

extension EmbeddedCatalog {
    /// Whether there is any product in it.
    fileprivate func hasProducts() throws -> Bool {
        try read { try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM product)") ?? false }
    }
}
