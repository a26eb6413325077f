import HTTPService

/// What the service has.
enum Resource: Equatable {
    /// The products, page by page.
    case products
    /// The product with a code; as it is encoded in the path.
    case product(code: Substring)
    /// All products with a code.
    case lookup
    /// Whether the service can answer.
    case health
    /// The description of all this.
    case openAPI

    /// Finds what a path names; nil where it names nothing.
    init?(_ target: RequestTarget) {
        switch target.segments {
        case ["v1", "products"]: self = .products
        case ["v1", "lookup"]: self = .lookup
        case ["v1", "health"]: self = .health
        case ["openapi.json"]: self = .openAPI
        default:
            guard target.segments.count == 3, target.segments.starts(with: ["v1", "products"]),
                !target.segments[2].isEmpty
            else { return nil }
            self = .product(code: target.segments[2])
        }
    }

    /// Whether everybody may have it: it tells nothing of the catalog.
    var isOpen: Bool { self == .health || self == .openAPI }
}
