import Catalog
import HTTPService
import HTTPTypes
import WebAPI
import WireText

/// What has changed in the catalog of another keywedge, page by page.
struct ChangesEndpoint: Endpoint {
    /// What the service answers.
    enum Model: Sendable {
        /// A page, and the JSON it was read of.
        ///
        /// The chain is through which services the products come, nil where what is said of it cannot
        /// be; `hasWaited` whether the service does what `wait` asks for.
        case page(ChangesPage, payload: [UInt8], chain: [String]?, hasWaited: Bool)
        /// The revision asked for is none the service knows.
        case unknownRevision
    }

    let base: Address
    let since: String?
    let limit: Int
    let token: BearerToken?
    /// The shop whose changes they are; nil for all, or that of the token.
    let scope: CatalogScope?
    /// For how long the service may wait for something to tell; nil for not at all.
    var wait: Duration?

    let endpointName = "catalog sync"
    var baseURL: BaseURL { BaseURL(base) }
    var path: Path { "/v1/changes" }

    var queries: [Query] {
        (since.map { [Query("since", $0)] } ?? []) + [Query("limit", limit)] + Self.queries(scope)
    }

    var headers: HTTPFields {
        get throws(RequestError) {
            var fields = try Self.fields(token)
            if let wait, let name = HTTPField.Name("Prefer") {
                fields[name] = "wait=\(wait.components.seconds)"
            }
            return fields
        }
    }

    /// What names the shop.
    static func queries(_ scope: CatalogScope?) -> [Query] {
        scope.map { [Query(Parameters.scope, $0.name)] } ?? []
    }

    /// What every request to the service has.
    static func fields(_ token: BearerToken?) throws(RequestError) -> HTTPFields {
        var fields: HTTPFields = [.accept: "application/json"]
        guard let token else { return fields }
        do {
            fields.append(
                try HeaderField.make("Authorization", token.headerValue, isSecret: true))
        } catch {
            throw .header(error)
        }
        return fields
    }

    func model(from response: Response) throws(TransformError) -> Model {
        // Another server's 410 means something else.
        if response.status == .gone, let json = try? response.json(),
            json[JSONPointer(["code"])] == "unknown-revision"
        {
            return .unknownRevision
        }
        try check(response)
        let chain = HTTPField.Name(ChainField.name).flatMap { response.headers[$0] } ?? ""
        let hasWaited = HTTPField.Name("Preference-Applied").map { response.headers[$0] != nil }
        return .page(
            try ChangesPage(response.json()), payload: response.payload,
            chain: ServiceChain.read(chain), hasWaited: hasWaited ?? false)
    }
}
