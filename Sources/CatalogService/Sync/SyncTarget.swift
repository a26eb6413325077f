import Catalog
import WireText

/// What a synchronisation fills.
enum SyncTarget {
    /// A catalog that is there; its file is known where it has one.
    case catalog(EmbeddedCatalog)
    /// A new file for a catalog, with nothing in it, and the name that it gets in the end.
    case draft(DraftFile, path: String)

    /// Where the catalog is; nil for one in memory.
    var path: String? {
        switch self {
        case .catalog(let catalog): catalog.path == ":memory:" ? nil : catalog.path
        case .draft(_, let path): path
        }
    }

    /// The new file; nil for a catalog that is there.
    func draft() -> DraftFile? {
        if case .draft(let file, _) = self { file } else { nil }
    }

    /// The catalog, which is made where there is none yet.
    func catalog() throws -> EmbeddedCatalog {
        switch self {
        case .catalog(let catalog): catalog
        case .draft(let file, _): try EmbeddedCatalog(path: file.path, access: .writing)
        }
    }

    /// The catalog that was followed so far.
    func upstream() throws -> Upstream? {
        if case .catalog(let catalog) = self { try catalog.upstream() } else { nil }
    }

    /// Through which services its products come, as far as it knows; nil where it knows of none.
    func chain() throws -> [String]? {
        if case .catalog(let catalog) = self { try catalog.chain() } else { nil }
    }
}

/// When a whole file of the catalog is a shorter way than pages of changes.
enum SnapshotRule {
    /// From how many changes on: ten pages.
    static let fewest = 10 * ServiceLimits.largestPage

    /// Whether it is shorter: a product in a file is half as long as one on a page, and takes less
    /// work on both sides.
    static func isShorter(_ extent: ChangesExtent) -> Bool {
        extent.changes >= fewest && extent.changes >= extent.products / 2
    }
}
