import Catalog
import CatalogFeeds
import EventService
import Events
import HTTPCatalog
import KeywedgeConfiguration
import Synchronization
import WireText

/// A reader of the status of the catalogs.
///
/// It uses its own connections and a temporary thread, so that it delays neither lookups nor the daemon's tasks.
/// Concurrent callers share one reading.
final class CatalogReadings: Sendable {
    private struct State {
        var waiting: [CheckedContinuation<[SourceStatus], Never>] = []
        /// The connections, keyed by path; they stay open, because closing one would start libdispatch threads, which
        /// wake up every second.
        var catalogs: [String: CatalogFile] = [:]
        /// Each catalog's product count, keyed by path, with the catalog's state when its products were counted.
        var counts: [String: (state: CatalogState, products: Int)] = [:]
    }

    private let sources: [any ProductSource]
    private let state = Mutex(State())

    init(of sources: [any ProductSource]) { self.sources = sources }

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
        case let catalog as DeclaredCatalog: return Self.status(of: catalog)
        case let catalog as CatalogFile:
            return status(of: catalog.name, at: catalog.path) { catalog }
        case let catalog as AwaitedSource<CatalogFile>:
            // If the catalog is not in use yet, its file is missing, empty or invalid: opening the file shows which.
            let path = catalog.path ?? ""
            return status(of: catalog.name, at: path) {
                try catalog.opened() ?? connection(to: path)
            }
        case let catalog as AwaitedSource<DeclaredCatalog>:
            do {
                if let opened = try catalog.opened() { return Self.status(of: opened) }
            } catch {
                return SourceStatus(
                    name: catalog.name, kind: "http", state: "unusable", trouble: "\(error)")
            }
            fallthrough
        default: return SourceStatus(name: source.name, kind: "http")
        }
    }

    private static func status(of catalog: DeclaredCatalog) -> SourceStatus {
        if let trouble = catalog.secretTrouble {
            return SourceStatus(
                name: catalog.name, kind: "http",
                state: LookupFailure.Code.unreadableSecret.rawValue, trouble: "\(trouble)")
        }
        return switch catalog.currentState {
        case .ready: SourceStatus(name: catalog.name, kind: "http")
        case .probing: SourceStatus(name: catalog.name, kind: "http", state: "probing")
        case .refusing(let code, let wait):
            SourceStatus(
                name: catalog.name, kind: "http", state: code.rawValue, retryAfter: wait)
        }
    }

    private func status(
        of name: String, at path: String, _ open: () throws -> CatalogFile
    ) -> SourceStatus {
        do {
            let catalog = try open()
            var status = SourceStatus(name: name, kind: "embedded")
            status.products = try products(of: connection(to: path))
            status.changed = try catalog.lastWritten().map {
                EventTime(microsecondsSince1970: $0 * 1_000_000)
            }
            status.feed = FollowerState.read(of: path).map { state in
                SourceStatus.Feed(
                    source: state.source, checked: EventTime(state.checked),
                    expires: EventTime(state.expires), trouble: state.trouble)
            }
            return status
        } catch {
            var state = "unusable"
            if case CatalogError.missing = error { state = "missing" }
            return SourceStatus(name: name, kind: "embedded", state: state, trouble: "\(error)")
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
}

extension EventTime {
    fileprivate init(_ time: FeedTime) {
        self.init(microsecondsSince1970: time.seconds * 1_000_000)
    }
}
