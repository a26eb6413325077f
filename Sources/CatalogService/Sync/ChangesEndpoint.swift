import HTTPService
import HTTPTypes
import WebAPI
import WireText

/// What has changed in the catalog of another keywedge, page by page.
struct ChangesEndpoint: Endpoint {
    /// What the service answers.
    enum Model: Sendable {
        /// A page, and the JSON it was read of.
        case page(ChangesPage, payload: [UInt8])
        /// The revision asked for is none the service knows.
        case unknownRevision
    }

    let base: Address
    let since: String?
    let limit: Int
    let token: BearerToken?

    let endpointName = "catalog sync"
    var baseURL: BaseURL { BaseURL(base) }
    var path: Path { "/v1/changes" }

    var queries: [Query] {
        (since.map { [Query("since", $0)] } ?? []) + [Query("limit", limit)]
    }

    var headers: HTTPFields {
        get throws(RequestError) {
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
    }

    func model(from response: Response) throws(TransformError) -> Model {
        // Another server's 410 means something else.
        if response.status == .gone, let json = try? response.json(),
            json[JSONPointer(["code"])] == "unknown-revision"
        {
            return .unknownRevision
        }
        try check(response)
        return .page(try ChangesPage(response.json()), payload: response.payload)
    }
}
