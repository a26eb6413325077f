import GRDB
import WireText

extension EmbeddedCatalog {
    /// The catalog that this one follows.
    ///
    /// - Returns: Where it is and how far it was followed; nil where none is.
    /// - Throws: `CatalogError`.
    package func upstream() throws -> Upstream? {
        try read { db in
            guard try CatalogSchema.tracksChanges(db) else { return nil }
            return try Self.upstream(db)
        }
    }

    /// Takes over what has changed in the catalog that is followed, in one transaction: all or
    /// nothing.
    ///
    /// A product is taken over whatever this catalog has under its id, and is the other catalog's
    /// from then on: gone there, it is gone here. Products that the other catalog never had stay.
    ///
    /// - Parameters:
    ///   - upstream: The catalog that is followed, and the revision all changes lead to.
    ///   - base: The revision the changes start from; nil where they are all products there are:
    ///     what came from there before and is not among them is removed.
    ///   - mayEmpty: Whether all products that came from there may go, where there were some.
    ///   - chain: Through which services the products come.
    ///   - next: Gives the changes part by part; nil at the end. What it throws ends it with nothing
    ///     taken over.
    /// - Returns: What was done.
    /// - Throws: `FollowError`, `CatalogError`, and what `next` throws.
    @discardableResult
    package func follow(
        _ upstream: Upstream, since base: String?, allowingEmpty mayEmpty: Bool = true,
        through chain: [String] = [], next: () throws -> UpstreamChanges?
    ) throws -> FollowSummary {
        try write { db in
            let before = try Self.upstream(db)
            if let base, before?.revision != base {
                throw FollowError.overtaken(by: before?.revision)
            }
            let run = try Int64.fetchOne(db, sql: "SELECT run FROM upstream").map { $0 + 1 } ?? 1
            let hadProducts = try Self.hasProductsOfUpstream(db)
            let revision = try UpstreamRevision.claim(
                upstream.revision, isWhole: base == nil, had: before?.revision, db)
            var writer = try UpstreamWriter(db, run: run, leadingTo: revision)
            while let changes = try next() { try writer.write(changes) }
            if base == nil { try writer.removeOthers() }
            guard try mayEmpty || !hadProducts || Self.hasProductsOfUpstream(db) else {
                throw FollowError.emptied
            }
            try writer.finish()
            if before?.revision == upstream.revision, writer.summary.hasChanges {
                try Self.noteRereading(db)
            }
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO upstream (number, url, revision, run)
                    VALUES (1, ?, ?, ?)
                    """, arguments: [upstream.url, upstream.revision, run])
            try ServiceChain.write(chain, db)
            return writer.summary
        }
    }

    private static func hasProductsOfUpstream(_ db: Database) throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM synced JOIN product ON number = synced.product)"
        return try Bool.fetchOne(db, sql: sql) ?? false
    }

    static func upstream(_ db: Database) throws -> Upstream? {
        guard let row = try Row.fetchOne(db, sql: "SELECT url, revision FROM upstream") else {
            return nil
        }
        return Upstream(url: row[0], revision: row[1])
    }
}

/// The catalog that an embedded one follows, and how far.
package struct Upstream: Hashable, Sendable {
    /// Where it is.
    package let url: String
    /// The revision of it that was taken over, in its own words.
    package let revision: String

    /// Names a catalog to follow.
    ///
    /// - Parameters:
    ///   - url: Where it is.
    ///   - revision: The revision of it, in its own words.
    package init(url: String, revision: String) {
        self.url = url
        self.revision = revision
    }
}

/// A part of what has changed in a catalog that is followed.
package struct UpstreamChanges: Sendable {
    /// Products that are new there, or have changed.
    package var changed: [Product]
    /// The ids of products that are gone there.
    package var removed: [String]

    /// Whether nothing has changed.
    package var isEmpty: Bool { changed.isEmpty && removed.isEmpty }

    /// Makes a part.
    ///
    /// - Parameters:
    ///   - changed: Products that are new there, or have changed.
    ///   - removed: The ids of products that are gone there.
    package init(changed: [Product] = [], removed: [String] = []) {
        self.changed = changed
        self.removed = removed
    }
}

/// What following another catalog did.
package struct FollowSummary: Hashable, Sendable {
    /// Products that were not in the catalog before.
    package var added = 0
    /// Products that have changed.
    package var updated = 0
    /// Products that were as the other catalog has them.
    package var unchanged = 0
    /// Products that are gone.
    package var removed = 0

    /// A summary of nothing.
    package init() {}

    /// Whether anything is otherwise than before.
    var hasChanges: Bool { added + updated + removed > 0 }
}

/// Why the changes of another catalog were not taken over; the catalog is as it was.
package enum FollowError: Error, Equatable, Sendable {
    /// Another process has taken over changes meanwhile: it is at this revision now.
    case overtaken(by: String?)
    /// All products that came from the other catalog would go.
    case emptied
}

extension FollowError: CustomStringConvertible {
    /// The error as one sentence.
    package var description: String {
        switch self {
        case .emptied:
            "The other catalog has no products any more; expected some."
        case .overtaken(let revision):
            "Another process has synchronised the catalog meanwhile, to revision "
                + "\((revision ?? "none").quoted()); expected it left alone."
        }
    }
}
