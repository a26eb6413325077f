package import Catalog
import Glibc
import WireText

/// A product in which a catalog differs from a feed.
package enum CatalogDifference: Hashable, Sendable {
    /// The feed has it, and the catalog has not.
    case missing(id: String)
    /// The catalog has it, and the feed has not.
    case additional(id: String)
    /// Both have it, and it is not the same.
    case different(id: String)
}

extension CatalogDifference: CustomStringConvertible {
    /// The difference as one sentence.
    package var description: String {
        switch self {
        case .missing(let id): "The product \(id.quoted()) is missing here."
        case .additional(let id): "The product \(id.quoted()) is only here."
        case .different(let id): "The product \(id.quoted()) is another one here."
        }
    }
}

extension FeedFollower {
    /// Compares the catalog with the feed, product by product if their revisions differ.
    ///
    /// - Parameter report: Gets each product that differs, sorted by id.
    /// - Returns: The feed's manifest.
    /// - Throws: ``FeedError``, `CatalogError`, `CancellationError`, and what `report` throws.
    package func compare(
        _ report: (CatalogDifference) throws -> Void
    ) async throws -> FeedManifest {
        let manifest = try await currentManifest()
        guard try presentRevision() != manifest.revision else { return manifest }
        let name = FeedManifest.fullName(manifest.revision)
        let file = try await source.fetch(name, manifest.full, beside: downloads)
        defer { removeDownloads() }
        let rows = try FeedRows(path: file, name: name, manifest.full, inDelta: false)
        var theirs = try rows.next()
        try EmbeddedCatalog(path: path).forEachProduct { product in
            try Task.checkCancellation()
            while let id = theirs?.id, id.isBefore(product.id) {
                try report(.missing(id: id))
                theirs = try rows.next()
            }
            guard let id = theirs?.id, !product.id.isBefore(id) else {
                return try report(.additional(id: product.id))
            }
            if rows.line != FeedRow.line(of: product) { try report(.different(id: id)) }
            theirs = try rows.next()
        }
        while let id = theirs?.id {
            try report(.missing(id: id))
            theirs = try rows.next()
        }
        return manifest
    }
}
