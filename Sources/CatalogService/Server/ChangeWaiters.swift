import Catalog
import HTTPService
import Synchronization

/// Requests for changes that wait until there are some.
///
/// One watcher looks for all of them, and only while there are any: at the dates of the catalog's
/// files five times a second, which costs microseconds, and into the catalog where those have changed.
/// What has changed is read once for all that ask the same.
final class ChangeWaiters: Sendable {
    /// How often the catalog's files are looked at.
    private static let pause = Duration.milliseconds(200)
    /// After how many looks the catalog is asked although its files seem to be as they were.
    private static let looks = 25
    private static let looksASecond = 5
    /// The longest that is waited.
    static let longest = Duration.seconds(60)

    /// How waiting ended.
    enum Outcome {
        /// There are changes.
        case answer(Answer)
        /// There may be changes, and they cannot be told.
        case failed(any Error)
        /// There were none up to this revision.
        case over(CatalogRevision)
        /// There is no room for another one.
        case full
    }

    private struct Waiter {
        let end: ContinuousClock.Instant
        let continuation: CheckedContinuation<Outcome, Never>
    }

    /// All that ask the same.
    private struct Group {
        var waiters: [Int: Waiter] = [:]
        /// The last revision, as they see it, in which there was nothing for them.
        var last: CatalogRevision
    }

    private struct State {
        var groups: [ChangesRequest: Group] = [:]
        var count = 0
        var last = 0
        var isWatched = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let catalog: EmbeddedCatalog
    private let limit: Int

    /// Makes room for waiters.
    ///
    /// - Parameters:
    ///   - catalog: The catalog's file.
    ///   - limit: How many may wait; more are answered at once.
    /// - Throws: `CatalogError`.
    init(for catalog: String, limit: Int = ServiceLimits.waiters) throws {
        self.catalog = try EmbeddedCatalog(path: catalog)
        self.limit = limit
    }

    /// How many wait.
    var count: Int { state.withLock { $0.count } }

    /// Waits until there are changes.
    ///
    /// - Parameters:
    ///   - request: What is asked.
    ///   - revision: Its revision, which was the present one a moment ago.
    ///   - time: How long to wait at the most.
    ///   - answer: Answers the request in another revision; nil where that has nothing for it, such
    ///     as the changes of another shop. Where it is busy, it is asked again.
    /// - Returns: How it ended; over as well where the task is cancelled.
    func wait(
        for request: ChangesRequest, since revision: CatalogRevision, upTo time: Duration,
        answer: @escaping @Sendable (ChangesRequest) async throws -> Answer?
    ) async -> Outcome {
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(end: .now + min(time, Self.longest), continuation: continuation)
                let (isIn, isFirst) = enter(waiter, id, request, revision)
                if !isIn { return continuation.resume(returning: .full) }
                // Cancelled before it was in: nobody else would let it go.
                if Task.isCancelled { leave(id, request) }
                if isFirst { Task { await watch(answer) } }
            }
        } onCancel: {
            leave(id, request)
        }
    }

    /// Lets everybody go, and nobody in any more.
    func close() {
        let groups = state.withLock { state in
            defer { (state.groups, state.count, state.isClosed) = ([:], 0, true) }
            return state.groups.values
        }
        for group in groups {
            for waiter in group.waiters.values {
                waiter.continuation.resume(returning: .over(group.last))
            }
        }
    }

    private func enter(
        _ waiter: Waiter, _ id: Int, _ request: ChangesRequest, _ revision: CatalogRevision
    ) -> (isIn: Bool, isFirst: Bool) {
        state.withLock { state in
            guard !state.isClosed, state.count < limit else { return (false, false) }
            state.groups[request, default: Group(last: revision)].waiters[id] = waiter
            state.count += 1
            defer { state.isWatched = true }
            return (true, !state.isWatched)
        }
    }

    private func leave(_ id: Int, _ request: ChangesRequest) {
        let left: (waiter: Waiter, last: CatalogRevision)? = state.withLock { state in
            guard let last = state.groups[request]?.last,
                let waiter = state.groups[request]?.waiters.removeValue(forKey: id)
            else { return nil }
            state.count -= 1
            if state.groups[request]?.waiters.isEmpty == true { state.groups[request] = nil }
            return (waiter, last)
        }
        if let left { left.waiter.continuation.resume(returning: .over(left.last)) }
    }

    /// Looks as long as somebody waits.
    private func watch(
        _ answer: @escaping @Sendable (ChangesRequest) async throws -> Answer?
    ) async {
        var (stamp, revision, look): (CatalogStamp?, CatalogRevision?, Int) = (nil, nil, 0)
        while goesOn() {
            let now = CatalogStamp(path: catalog.path)
            if now != stamp || look % Self.looks == 0 {
                stamp = now
                revision = try? catalog.revision()
            }
            look += 1
            for request in behind(revision) {
                let found: Outcome
                do {
                    guard let text = try await answer(request) else {
                        note(revision, hasNothingFor: request)
                        continue
                    }
                    found = .answer(text)
                } catch let problem as ProblemDetails where problem == .busy {
                    continue
                } catch {
                    found = .failed(error)
                }
                for waiter in take(request) { waiter.continuation.resume(returning: found) }
            }
            if look % Self.looksASecond == 0 { letGo(at: .now) }
            try? await Task.sleep(for: Self.pause)
        }
    }

    private func goesOn() -> Bool {
        state.withLock { state in
            state.isWatched = state.count > 0
            return state.isWatched
        }
    }

    /// What is asked since another revision than the present one, where it was not asked in that before.
    private func behind(_ revision: CatalogRevision?) -> [ChangesRequest] {
        state.withLock { state in
            state.groups.filter { request, group in
                group.last != revision?.seen(in: request.scope)
            }.map(\.key)
        }
    }

    private func note(_ revision: CatalogRevision?, hasNothingFor request: ChangesRequest) {
        guard let revision else { return }
        state.withLock { $0.groups[request]?.last = revision.seen(in: request.scope) }
    }

    /// Takes out all that ask the same.
    private func take(_ request: ChangesRequest) -> [Waiter] {
        state.withLock { state in
            let waiters = state.groups.removeValue(forKey: request)?.waiters ?? [:]
            state.count -= waiters.count
            return Array(waiters.values)
        }
    }

    /// Lets those go whose time is up.
    private func letGo(at now: ContinuousClock.Instant) {
        let late = state.withLock { state in
            state.groups.flatMap { group in
                group.value.waiters.filter { $0.value.end <= now }.map { (group.key, $0.key) }
            }
        }
        for (request, id) in late { leave(id, request) }
    }
}

/// How long a request is willing to wait.
///
/// Rule: RFC 7240, section 4.3.
enum WaitPreference {
    /// Reads the value of `Prefer`.
    ///
    /// - Parameter text: The value; nil where there is none.
    /// - Returns: The time; nil where none is named.
    static func read(_ text: String?) -> Duration? {
        for preference in (text ?? "").split(separator: ",") {
            let parts = preference.prefix { $0 != ";" }.split(separator: "=")
            guard parts.count == 2 else { continue }
            let (name, value) = (parts[0].filter { $0 != " " }, parts[1].filter { $0 != " " })
            guard name.lowercased() == "wait", value.utf8.count <= 9, let seconds = UInt32(value),
                seconds > 0
            else { continue }
            return .seconds(seconds)
        }
        return nil
    }
}
