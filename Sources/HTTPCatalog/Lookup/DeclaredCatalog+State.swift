package import Catalog

/// Whether a catalog is asked at the moment.
package enum SourceState: Equatable, Sendable {
    /// It is.
    case ready
    /// The next request shows whether it answers again; until then there are no others.
    case probing
    /// It is not, for this reason; after this time it is.
    case refusing(LookupFailure.Code, for: Duration)
}

extension DeclaredCatalog {
    /// Whether the catalog is asked at the moment; nothing is changed by looking.
    package var currentState: SourceState {
        switch context.gate.admission(at: context.clock.now()) {
        case .go(isProbe: false): .ready
        case .go(isProbe: true): .probing
        case .refuse(let code, let wait): .refusing(code, for: wait)
        }
    }
}
