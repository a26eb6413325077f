import WebAPI

/// Which redirects of a catalog are followed.
package enum Redirects: String, CaseIterable, Hashable, Sendable {
    /// None.
    case refuse
    /// Those within the catalog's own scheme, host and port, up to three in a row.
    case sameOrigin = "same-origin"
    /// Those to any host, up to three in a row; nothing that authenticates us goes along.
    case anyOrigin = "any-origin"

    var policy: RedirectPolicy {
        switch self {
        case .refuse: .refuse
        case .sameOrigin: .sameOrigin(maximum: 3)
        case .anyOrigin: .anyOrigin(maximum: 3)
        }
    }
}
