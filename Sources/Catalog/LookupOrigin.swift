/// Where an answer comes from.
package enum LookupOrigin: Hashable, Sendable {
    /// The catalog on this box.
    case embedded
    /// The catalog was asked for it.
    case network
    /// The catalog was asked a while ago, and the answer still holds.
    case cache(age: Duration)
    /// The catalog was asked a while ago, and the answer may not hold any more: prices in
    /// particular.
    case stale(age: Duration)

    /// The origin as events name it.
    package var name: String {
        switch self {
        case .embedded: "embedded"
        case .network: "network"
        case .cache: "cache"
        case .stale: "stale"
        }
    }

    /// How long ago the catalog gave the answer; nil where it was just now.
    package var age: Duration? {
        switch self {
        case .embedded, .network: nil
        case .cache(let age), .stale(let age): age
        }
    }
}
