import Catalog
import Glibc
import WireText

extension CatalogFollower {
    /// Takes over what has changed into a catalog's file, which is made where there is none.
    ///
    /// A new file is filled under another name first: an empty catalog would answer that nothing is
    /// known, as if it had been filled.
    ///
    /// - Parameters:
    ///   - path: The catalog's file.
    ///   - isAnew: Whether to take over everything although it was done before.
    ///   - mayEmpty: Whether all products of the service may go, where there were some.
    ///   - wait: For how long the service may wait for something to tell; nil for not at all.
    /// - Returns: What was done.
    /// - Throws: ``SyncError``, `FollowError`, `CatalogError`, `CancellationError`; the catalog is
    ///   as it was then.
    @discardableResult
    package func synchronise(
        path: String, anew isAnew: Bool = false, allowingEmpty mayEmpty: Bool = false,
        waiting wait: Duration? = nil
    ) async throws -> SyncResult {
        let draft = path + ".new"
        guard access(path, F_OK) != 0 else {
            DraftFile.sweep(draft)
            return try await synchronise(
                EmbeddedCatalog(path: path, access: .writing), anew: isAnew,
                allowingEmpty: mayEmpty, waiting: wait)
        }
        let file = try DraftFile(path: draft)
        defer { withExtendedLifetime(file) {} }
        let result = try await fill(file, for: path, anew: isAnew)
        // Unlike a renamed one, a linked file does not replace what somebody else has put there.
        guard link(file.path, path) == 0 else {
            throw errno == EEXIST
                ? SyncError.appeared(path: path)
                : .file(SystemCallError(operation: "create", path: path, errno: errno))
        }
        return result
    }

    /// Fills a new catalog; its connection, and with it the log beside it, is gone at the end.
    private func fill(
        _ draft: DraftFile, for path: String, anew isAnew: Bool
    ) async throws -> SyncResult {
        try await synchronise(
            .draft(draft, path: path), pages: Self.pages(of: path), anew: isAnew,
            allowingEmpty: false, waiting: nil)
    }
}
