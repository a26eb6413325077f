import Synchronization
import WebAPI

/// What all requests to one catalog share: the client, the clocks, what authenticates them, and the
/// rules that may hold them back.
struct RequestContext: Sendable {
    let declaration: HTTPCatalogDeclaration
    let builder: RequestBuilder
    let client: APIClient
    let clock: CatalogClock
    let chance: @Sendable () -> Double
    let credentials: Credentials
    let tokens: TokenCache
    let gate: Gate

    /// The rules, for all lookups at a time.
    final class Gate: Sendable {
        private let state: Mutex<SourceGate>

        init(_ settings: ResilienceSettings, now: MonotonicTime) {
            state = Mutex(SourceGate(settings, now: now))
        }

        var allowsRetry: Bool { state.withLock { $0.allowsRetry } }

        func admit(at now: MonotonicTime) -> SourceGate.Admission {
            state.withLock { $0.admit(at: now) }
        }

        func admission(at now: MonotonicTime) -> SourceGate.Admission {
            state.withLock { $0 }.admission(at: now)
        }

        func words(at now: MonotonicTime) -> String { state.withLock { $0 }.words(at: now) }

        func record(_ ending: SourceGate.Ending, wasProbe: Bool, at now: MonotonicTime) {
            state.withLock { $0.record(ending, wasProbe: wasProbe, at: now) }
        }
    }

    /// What the catalog is called.
    var name: String { declaration.name }
}
