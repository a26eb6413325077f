import Catalog
import WireText

extension FeedFollower {
    /// How a product of the catalog differs from the feed's, in words.
    package enum Difference: String, Sendable {
        case missing = "is missing here"
        case additional = "is only here"
        case different = "is another one here"
    }

    /// Compares the catalog with the feed, product by product if their revisions differ.
    ///
    /// - Parameter report: Gets the id of each product that differs, sorted.
    /// - Returns: The feed's manifest.
    /// - Throws: ``FeedError``, `CatalogError`, `CancellationError`, and what `report` throws.
    package func compare(
        _ report: (String, Difference) throws -> Void
    ) async throws -> FeedManifest {
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        guard let (manifest, _) = try await manifest(since: nil, unless: nil) else {
            throw FeedError.content(of: FeedManifest.name, .missing)
        }
        guard try presentRevision() != manifest.revision else { return manifest }
        let file = try await source.fetch(manifest.fullName, manifest.full, to: downloads)
        defer { removeDownloads() }
        let rows = try FeedFileReader(path: file, name: manifest.fullName, manifest.full)
        try rows.nextLine()
        try CatalogFile(path: path).forEachProduct { product in
            try Task.checkCancellation()
            let line = FeedRow.line(of: product)
            switch try rows.meet(product.id, line, passing: { try report($0, .missing) }) {
            case .same: break
            case .different: try report(product.id, .different)
            case .unknown: try report(product.id, .additional)
            }
        }
        try rows.pass(before: nil) { try report($0, .missing) }
        return manifest
    }
}

extension FeedFileReader {
    /// What a file has under the id of a product.
    enum Meeting {
        case same, different, unknown
    }

    /// Goes on to a product of a catalog that is read in the same order, beginning with the first line.
    ///
    /// - Parameters:
    ///   - id: The product's id.
    ///   - line: Its line.
    ///   - body: Gets the ids that the catalog has not.
    /// - Returns: What the file has under the id.
    /// - Throws: ``FeedError``, and what `body` throws.
    func meet(
        _ id: String, _ line: [UInt8], passing body: (String) throws -> Void
    ) throws -> Meeting {
        if self.line != line { try pass(before: id, body) }
        let meeting: Meeting =
            if self.line == line { .same } else if let found = try row?.id, !id.isBefore(found) {
                .different
            } else { .unknown }
        if case .unknown = meeting { return meeting }
        try nextLine()
        return meeting
    }

    /// Goes on to the first id that is not before another; to the end for nil.
    func pass(before id: String?, _ body: (String) throws -> Void) throws {
        while let next = try row?.id, id.map({ next.isBefore($0) }) ?? true {
            try body(next)
            try nextLine()
        }
    }
}
