import Crypto
import GRDB

extension EmbeddedCatalog {
    /// Counts and digests the products of the catalog by ranges of their ids, in the ids' order.
    ///
    /// - Parameters:
    ///   - range: Which ids.
    ///   - size: How many products a range has; the last one may have fewer.
    ///   - limit: How many ranges there may be.
    ///   - text: A product as it is written, of which the digest is made.
    /// - Returns: The ranges, one behind the other from the start on, and the revision.
    /// - Throws: `CatalogError`, and what `text` throws.
    package func digests(
        of range: IDRange, size: Int, limit: Int = .max, text: (Product) throws -> [UInt8]
    ) throws -> DigestListing {
        try readAtOnce { db in
            let total = try Int.fetchOne(db, sql: "SELECT count(*) FROM product") ?? 0
            var listing = DigestListing(
                revision: try RevisionLog.current(db, path: path), total: total)
            var from = range.from
            while listing.ranges.count < limit {
                // One more, which begins the next range.
                let rows = try ProductRows.list(
                    db, IDRange(from: from, before: range.before), limit: size + 1)
                let before = rows.count > size ? rows[size].id : range.before
                var hash = SHA256()
                for product in rows.prefix(size) { hash.update(data: try text(product)) }
                listing.ranges.append(
                    RangeDigest(
                        range: IDRange(from: from, before: before), first: rows.first?.id,
                        count: min(rows.count, size), digest: Self.text(hash.finalize())))
                guard rows.count > size else { return listing }
                from = before
            }
            listing.next = from
            return listing
        }
    }

    /// Counts and digests the products of one range of ids, however many.
    ///
    /// - Parameters:
    ///   - range: Which ids.
    ///   - text: A product as it is written.
    /// - Returns: The count and the digest.
    /// - Throws: `CatalogError`, and what `text` throws.
    package func digest(
        of range: IDRange, text: (Product) throws -> [UInt8]
    ) throws -> RangeDigest {
        try readAtOnce { db in
            var (hash, count, from) = (SHA256(), 0, range.from)
            var first: String?
            while true {
                let rows = try ProductRows.list(
                    db, IDRange(from: from, before: range.before), limit: 1001)
                first = first ?? rows.first?.id
                for product in rows.prefix(1000) { hash.update(data: try text(product)) }
                count += min(rows.count, 1000)
                guard rows.count > 1000 else { break }
                from = rows[1000].id
            }
            return RangeDigest(
                range: range, first: first, count: count, digest: Self.text(hash.finalize()))
        }
    }

    /// The id of any of the products; nil where there is none.
    ///
    /// - Returns: The id.
    /// - Throws: `CatalogError`.
    package func anyID() throws -> String? {
        let sql = """
            SELECT id FROM product
            WHERE number > abs(random()) % (SELECT coalesce(max(number), 1) FROM product)
            ORDER BY number LIMIT 1
            """
        return try read { try String.fetchOne($0, sql: sql) }
    }

    private static func text(_ digest: SHA256.Digest) -> String {
        digest.prefix(16).map { byte in
            let text = String(byte, radix: 16)
            return text.utf8.count < 2 ? "0" + text : text
        }.joined()
    }
}

/// A range of ids, in the order of their bytes.
package struct IDRange: Hashable, Sendable {
    /// The first id that may be in it; nil for the first of all.
    package let from: String?
    /// The id before which it ends; nil where it has no end.
    package let before: String?

    /// All ids.
    package static let all = IDRange(from: nil, before: nil)

    /// Makes a range.
    ///
    /// - Parameters:
    ///   - from: The first id that may be in it.
    ///   - before: The id before which it ends.
    package init(from: String?, before: String?) {
        self.from = from
        self.before = before
    }
}

/// What tells the products of a range from others.
package struct RangeDigest: Hashable, Sendable {
    /// Which ids.
    package let range: IDRange
    /// The first id there is; nil where there is none.
    package let first: String?
    /// How many products there are.
    package let count: Int
    /// 32 hexadecimal digits, made of all products in the order of their ids.
    package let digest: String

    /// Makes a digest.
    ///
    /// - Parameters:
    ///   - range: Which ids.
    ///   - first: The first id there is.
    ///   - count: How many products there are.
    ///   - digest: 32 hexadecimal digits.
    package init(range: IDRange, first: String?, count: Int, digest: String) {
        self.range = range
        self.first = first
        self.count = count
        self.digest = digest
    }
}

/// Ranges of a catalog, one behind the other.
package struct DigestListing: Hashable, Sendable {
    /// The catalog's revision.
    package let revision: CatalogRevision
    /// How many products the catalog has.
    package let total: Int
    /// The ranges.
    package var ranges: [RangeDigest] = []
    /// Where the next range begins; nil where there is none.
    package var next: String?

    /// Makes a listing.
    ///
    /// - Parameters:
    ///   - revision: The catalog's revision.
    ///   - total: How many products the catalog has.
    ///   - ranges: The ranges.
    ///   - next: Where the next range begins.
    package init(
        revision: CatalogRevision, total: Int, ranges: [RangeDigest] = [], next: String? = nil
    ) {
        self.revision = revision
        self.total = total
        self.ranges = ranges
        self.next = next
    }
}
