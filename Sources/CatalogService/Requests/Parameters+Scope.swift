import Catalog
import HTTPService

extension Parameters {
    /// The name of the parameter that names a shop.
    static let scope = "scope"

    /// The shop as which a request is to be answered; nil where none is named.
    func scope() throws(ProblemDetails) -> CatalogScope? {
        guard let text = try text(Self.scope, limit: CatalogScope.longest) else { return nil }
        guard let scope = CatalogScope(text) else {
            throw .parameter(
                Self.scope, expected: "1 to \(CatalogScope.longest) of a-z, A-Z, 0-9, -, _ and .",
                quoting: text)
        }
        return scope
    }
}

extension CatalogScope {
    /// What a link has to say so that it leads to the same shop.
    static func suffix(_ scope: CatalogScope?) -> String { scope.map { "&scope=\($0)" } ?? "" }
}
