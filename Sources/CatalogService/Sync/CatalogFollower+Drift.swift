package import Catalog
import Glibc
import HTTPService
import WebAPI
import WireText

extension CatalogFollower {
    /// How many ranges are compared at each synchronisation: all of a small catalog.
    private static let rangesAtOnce = 4
    /// The most pages of digests: those of a hundred million products.
    private static let mostPages = 1000

    /// Compares a part of a catalog with the one it follows, and reads everything again where they
    /// differ.
    ///
    /// They are compared where both are at the same revision and nobody has changed this one; that
    /// they cannot be compared is no failure, and is told. What mending did not help is mended once for a
    /// revision.
    ///
    /// - Parameters:
    ///   - catalog: The catalog, which was just synchronised.
    ///   - result: Is told how many ranges differed, or why nothing was compared.
    ///   - mend: Reads everything.
    /// - Throws: What `mend` throws; `CatalogError`.
    func compare(
        _ catalog: EmbeddedCatalog, noting result: inout SyncResult, mend: () async throws -> Void
    ) async throws {
        guard try catalog.isSameAsUpstream() else { return }
        let isSmall = try catalog.count() <= Self.rangesAtOnce * ServiceLimits.standardRange
        let place = isSmall ? nil : try catalog.anyID()
        do {
            result.differingRanges = try await sample(of: catalog, from: place).count
            let (revision, last) = ("\(try catalog.revision())", try catalog.drift())
            // Where mending did not help, it is not tried again for the same revision.
            guard last?.revision != revision || last?.isMended == true else { return }
            guard result.differingRanges > 0 else {
                // It may not have been compared behind the mending.
                if last?.isMended == false { try catalog.noteMending() }
                return
            }
            let isKept = try catalog.noteDrift(
                at: revision, ranges: result.differingRanges,
                secondsSince1970: Int64(time(nil)))
            guard isKept else {
                // Somebody has changed it here meanwhile: it may differ.
                result.differingRanges = 0
                return
            }
            try await mend()
            if try await sample(of: catalog, from: place).isEmpty { try catalog.noteMending() }
        } catch let error as NotCompared {
            result.comparisonProblem = error.reason
        }
    }

    /// Ranges that differ, of a few from a place on.
    ///
    /// - Throws: ``NotCompared``, `CatalogError`.
    private func sample(of catalog: EmbeddedCatalog, from place: String?) async throws -> [IDRange]
    {
        let listing: DigestListing
        do {
            listing = try await digests(
                DigestsRequest(
                    range: IDRange(from: place, before: nil), size: ServiceLimits.standardRange,
                    limit: Self.rangesAtOnce, scope: scope))
        } catch let error as SyncError {
            throw NotCompared(reason: "\(error)")
        }
        guard try catalog.revision() == listing.revision else {
            throw NotCompared(reason: "The service is at another revision by now.")
        }
        var differing = try listing.ranges.filter { try !isSame($0, in: catalog) }.map(\.range)
        // Products may be missing in ranges that were not looked at.
        if differing.isEmpty, try catalog.count() != listing.total { differing = [.all] }
        return differing
    }

    private func isSame(_ range: RangeDigest, in catalog: EmbeddedCatalog) throws -> Bool {
        try catalog.digest(of: range.range, text: ProductText.line) == range
    }

    /// Compares all of a catalog with the one of the service.
    ///
    /// - Parameters:
    ///   - catalog: The catalog; what it follows does not matter.
    ///   - report: Is told of each product that differs.
    /// - Returns: What was compared.
    /// - Throws: ``SyncError``, `CatalogError`, and what `report` throws.
    package func compareAll(
        _ catalog: EmbeddedCatalog, _ report: (CatalogDifference) throws -> Void
    ) async throws -> CatalogComparison {
        var (from, pages): (String?, Int) = (nil, 0)
        while true {
            let listing = try await digests(
                DigestsRequest(
                    range: IDRange(from: from, before: nil), size: ServiceLimits.standardRange,
                    limit: ServiceLimits.ranges, scope: scope))
            for range in listing.ranges where try !isSame(range, in: catalog) {
                try await lookInto(range.range, of: catalog, report)
            }
            pages += 1
            guard let next = listing.next, pages < Self.mostPages,
                from.map({ $0.isAhead(of: next) }) ?? true
            else {
                return CatalogComparison(revision: "\(listing.revision)", products: listing.total)
            }
            from = next
        }
    }

    /// Compares a range product by product.
    private func lookInto(
        _ range: IDRange, of catalog: EmbeddedCatalog,
        _ report: (CatalogDifference) throws -> Void
    ) async throws {
        var from = range.from
        repeat {
            let place = IDRange(from: from, before: range.before)
            let theirs = try await digests(
                DigestsRequest(
                    range: place, size: 1, limit: ServiceLimits.ranges, scope: scope))
            let seen = IDRange(from: from, before: theirs.next ?? range.before)
            let ours = try catalog.digests(of: seen, size: 1, text: ProductText.line)
            try Self.differences(Self.byID(ours), Self.byID(theirs)).forEach(report)
            guard let next = theirs.next, from.map({ $0.isAhead(of: next) }) ?? true else { return }
            from = next
        } while true
    }

    /// Digests of single products.
    private static func byID(_ listing: DigestListing) -> [String: String] {
        var found: [String: String] = [:]
        for range in listing.ranges {
            if let id = range.first { found[id] = range.digest }
        }
        return found
    }

    private static func differences(
        _ ours: [String: String], _ theirs: [String: String]
    ) -> [CatalogDifference] {
        Set(ours.keys).union(theirs.keys).sorted { $0.isAhead(of: $1) }.compactMap { id in
            switch (ours[id], theirs[id]) {
            case (nil, .some): .missing(id: id)
            case (.some, nil): .additional(id: id)
            case (let our, let their): our == their ? nil : .different(id: id)
            }
        }
    }

    private func digests(_ request: DigestsRequest) async throws -> DigestListing {
        let endpoint = DigestsEndpoint(base: url, request: request, token: token)
        let outcome = await client.call(endpoint, within: pageLimit)
        switch outcome.result {
        case .failure(let error):
            try Task.checkCancellation()
            throw SyncError.call(error, url: "\(url)")
        case .success(nil): throw SyncError.incomparable(url: "\(url)")
        case .success(let listing?): return listing
        }
    }
}

/// Nothing was compared, and why.
private struct NotCompared: Error {
    let reason: String
}

/// A product in which two catalogs differ.
package enum CatalogDifference: Hashable, Sendable {
    /// The other one has it, and this one has not.
    case missing(id: String)
    /// This one has it, and the other one has not.
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

/// What a catalog was compared with.
package struct CatalogComparison: Hashable, Sendable {
    /// The other catalog's revision.
    package let revision: String
    /// How many products it has.
    package let products: Int
}
