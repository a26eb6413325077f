import Catalog
import CatalogFeeds
import EventService
import Events
import Glibc
import HTTPCatalog
import Synchronization

/// Finds out how the catalog's sources are doing.
///
/// It reads a catalog on the disk through its own connection, on a thread that ends afterwards: no
/// lookup and no task waits for the disk. Callers that come in the meantime get the same answer.
final class CatalogReadings: Sendable {
    private struct State {
        var waiting: [CheckedContinuation<[SourceStatus], Never>] = []
        /// Connections by file; closing one would start threads of libdispatch, which wake up every
        /// second.
        var catalogs: [String: CatalogFile] = [:]
        /// How many products a catalog has, by its file, and the state in which they were counted.
        var counts: [String: (state: CatalogState, products: Int)] = [:]
    }

    private let sources: [any ProductSource]
    private let state = Mutex(State())

    init(of sources: [any ProductSource]) { self.sources = sources }

    /// How each source is doing, in their order.
    func statuses() async -> [SourceStatus] {
        await withCheckedContinuation { continuation in
            let isFirst = state.withLock { state in
                state.waiting.append(continuation)
                return state.waiting.count == 1
            }
            guard isFirst else { return }
            do {
                try WaitingThread.start { self.answer() }
            } catch {
                answer()
            }
        }
    }

    private func answer() {
        let statuses = sources.map(status)
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: statuses) }
    }

    private func status(of source: any ProductSource) -> SourceStatus {
        switch source {
        case let catalog as DeclaredCatalog: Self.status(of: catalog)
        case let catalog as CatalogFile: status(of: catalog.name) { catalog }
        case let catalog as AwaitedCatalog: status(of: catalog.name) { try catalog.opened() }
        default: SourceStatus(name: source.name, kind: .http)
        }
    }

    private static func status(of catalog: DeclaredCatalog) -> SourceStatus {
        switch catalog.currentState {
        case .ready: SourceStatus(name: catalog.name, kind: .http)
        case .probing: SourceStatus(name: catalog.name, kind: .http, state: "probing")
        case .refusing(let code, let wait):
            SourceStatus(
                name: catalog.name, kind: .http, state: code.rawValue, retryAfter: wait)
        }
    }

    private func status(
        of name: String, _ open: () throws -> CatalogFile?
    ) -> SourceStatus {
        do {
            guard let catalog = try open() else {
                return SourceStatus(name: name, kind: .embedded, state: "missing")
            }
            var status = SourceStatus(name: name, kind: .embedded)
            let path = catalog.path
            status.products = try products(of: connection(to: path))
            status.changed = Self.changed(path)
            status.feed = FollowerState.read(of: path).map { state in
                SourceStatus.Feed(
                    source: state.source, checked: EventTime(state.checked),
                    expires: EventTime(state.expires), trouble: state.trouble)
            }
            return status
        } catch {
            return SourceStatus(
                name: name, kind: .embedded, state: "unusable", trouble: "\(error)")
        }
    }

    private func connection(to path: String) throws -> CatalogFile {
        if let open = state.withLock({ $0.catalogs[path] }) { return open }
        let catalog = try CatalogFile(path: path)
        state.withLock { $0.catalogs[path] = catalog }
        return catalog
    }

    private func products(of catalog: CatalogFile) throws -> Int {
        let now = try catalog.state()
        if let known = state.withLock({ $0.counts[catalog.path] }), known.state == now {
            return known.products
        }
        let products = try catalog.count()
        state.withLock { $0.counts[catalog.path] = (now, products) }
        return products
    }

    /// When a catalog's file or its log was last written.
    private static func changed(_ path: String) -> EventTime? {
        [path, path + "-wal"].compactMap { path in
            var file = stat()
            guard stat(path, &file) == 0, file.st_size > 0 else { return nil }
            return EventTime(
                microsecondsSince1970: Int64(file.st_mtim.tv_sec) * 1_000_000
                    + Int64(file.st_mtim.tv_nsec) / 1_000)
        }.max()
    }
}

extension EventTime {
    fileprivate init(_ time: FeedTime) {
        self.init(microsecondsSince1970: time.seconds * 1_000_000)
    }
}
