package import Barcodes
package import Catalog
import Synchronization

/// A source that may not be available yet; until it has been opened, each lookup tries to open it.
package final class AwaitedSource<Source: ProductSource>: ProductSource {
    package let name: String
    /// The path of an embedded catalog; nil for a web service.
    package let path: String?
    private let open: @Sendable () throws -> Source?
    private let source = Mutex<Source?>(nil)

    package init(
        _ name: String, path: String? = nil, open: @escaping @Sendable () throws -> Source?
    ) {
        (self.name, self.path, self.open) = (name, path, open)
    }

    /// Returns the source, which is opened first if necessary; nil if the source is not available yet.
    package func opened() throws -> Source? {
        try source.withLock { source in
            if source == nil { source = try open() }
            return source
        }
    }

    package func immediateAnswer(for barcode: Barcode) -> LookupAnswer? {
        do {
            guard let source = try opened() else { return LookupAnswer(.skipped) }
            return source.immediateAnswer(for: barcode)
        } catch {
            return .unusable(error)
        }
    }

    package func lookup(_ barcode: Barcode, within limit: Duration) async -> LookupAnswer {
        if let source = try? opened() { return await source.lookup(barcode, within: limit) }
        return immediateAnswer(for: barcode) ?? LookupAnswer(.skipped)
    }
}

extension AwaitedSource<CatalogFile> {
    /// Creates a source for an embedded catalog; lookups are skipped until its file exists and has products.
    ///
    /// A file without products may be in the middle of an import. A missing file is an error unless `mayBeMissing`.
    package convenience init(path: String, name: String = "embedded", mayBeMissing: Bool = true) {
        self.init(name, path: path) {
            do {
                let catalog = try CatalogFile(path: path, name: name)
                return try catalog.hasProducts() ? catalog : nil
            } catch CatalogError.missing where mayBeMissing {
                return nil
            } catch CatalogError.notACatalog {
                return nil
            }
        }
    }
}
