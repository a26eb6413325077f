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
    private let catalog = Mutex<CatalogFile?>(nil)

    /// Makes a source; nothing is opened yet.
    package init(path: String) { self.path = path }

    /// Looks up the product a barcode names.
    package func immediateAnswer(for barcode: Barcode) -> LookupAnswer? {
        do {
            return try opened()?.immediateAnswer(for: barcode) ?? LookupAnswer(.skipped)
        } catch {
            return LookupAnswer(.failed(LookupFailure(.unusableCatalog, "\(words: "\(error)")")))
        }
    }

    /// Looks up the product a barcode names.
    package func lookup(_ barcode: Barcode, within limit: Duration) async -> LookupAnswer {
        immediateAnswer(for: barcode) ?? LookupAnswer(.skipped)
    }

    /// The catalog; nil while there is none.
    package func opened() throws -> CatalogFile? {
        try catalog.withLock { catalog in
            if let catalog { return catalog }
            do {
                let opened = try CatalogFile(path: path)
                guard try opened.hasProducts() else { return nil }
                catalog = opened
                return opened
            } catch CatalogError.missing, CatalogError.notACatalog {
                return nil
            }
        }
    }
}

extension CatalogFile {
    /// Whether there is any product in it.
    fileprivate func hasProducts() throws -> Bool {
        try read { try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM product)") ?? false }
    }
}
