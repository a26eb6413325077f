import Catalog

/// Holds the pages of a service against the order in which they must come.
///
/// All go on from one revision, each behind the one before; and they lead to a revision that is not
/// older than the one the register has.
struct PageOrder {
    /// What is wrong with a page.
    enum Problem: Error, Equatable {
        /// It leads to where the register was, or nowhere.
        case endless
        /// It is of an older revision, or of the same one although there are changes.
        case disordered(before: String, now: String)
    }

    private let base: CatalogRevision?
    private var latest: CatalogRevision?
    private var place: ChangeCursor?
    private var wasEmpty = false

    /// Starts.
    ///
    /// - Parameters:
    ///   - base: The revision the register has; nil where it reads everything.
    ///   - place: Where it goes on; nil at the start.
    init(base: String?, place: String?) {
        self.base = base.flatMap { CatalogRevision($0) }
        latest = self.base
        self.place = place.flatMap { ChangeCursor($0) }
    }

    /// Takes the next page.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - hasChanges: Whether it, or a page before it, has changes.
    /// - Throws: ``Problem``.
    mutating func take(
        _ page: ChangesPage, hasChanges: Bool
    ) throws(Problem) {
        if let latest, !page.revision.follows(latest, orIsSame: base != latest || !hasChanges) {
            throw .disordered(before: "\(latest)", now: "\(page.revision)")
        }
        latest = page.revision
        guard let next = page.next else { return }
        if let place, !next.isBehind(place) { throw .endless }
        if wasEmpty, page.changes.isEmpty { throw .endless }
        wasEmpty = page.changes.isEmpty
        place = next
    }
}

extension CatalogRevision {
    /// Whether a catalog can have this revision after another.
    fileprivate func follows(_ other: CatalogRevision, orIsSame: Bool) -> Bool {
        self == other ? orIsSame : number > other.number
    }
}
