import Catalog
import HTTPService
import HTTPTypes
import WebAPI
import WireText

/// Digests of the catalog of another keywedge, by ranges of ids.
struct DigestsEndpoint: Endpoint {
    let base: Address
    let request: DigestsRequest
    let token: BearerToken?

    let endpointName = "catalog digests"
    var baseURL: BaseURL { BaseURL(base) }
    var path: Path { "/v1/digests" }

    var queries: [Query] {
        (request.range.from.map { [Query("from", $0)] } ?? [])
            + (request.range.before.map { [Query("before", $0)] } ?? [])
            + [Query("size", request.size), Query("limit", request.limit)]
            + ChangesEndpoint.queries(request.scope)
    }

    var headers: HTTPFields {
        get throws(RequestError) { try ChangesEndpoint.fields(token) }
    }

    /// The digests; nil where the service has none, or makes them of something else.
    func model(from response: Response) throws(TransformError) -> DigestListing? {
        if response.status == .notFound { return nil }
        try check(response)
        let json = try response.json()
        guard case .integer(let notation) = json[JSONPointer(["notation"])],
            notation == Int64(EntityTag.notation),
            case .integer(let total) = json[JSONPointer(["total"])],
            let revision = json[JSONPointer(["revision"])]?.string.flatMap({ CatalogRevision($0) }),
            let ranges = json[JSONPointer(["ranges"])]?.array?.map(Self.range),
            ranges.count <= ServiceLimits.ranges
        else { return nil }
        let sound = ranges.compactMap { $0 }
        guard sound.count == ranges.count else { return nil }
        return DigestListing(
            revision: revision, total: Int(total), ranges: sound,
            next: json[JSONPointer(["next"])]?.string)
    }

    private static func range(_ json: JSONValue) -> RangeDigest? {
        guard case .integer(let count) = json[JSONPointer(["count"])],
            let digest = json[JSONPointer(["digest"])]?.string
        else { return nil }
        let (from, before) = (json[JSONPointer(["from"])], json[JSONPointer(["before"])])
        return RangeDigest(
            range: IDRange(from: from?.string, before: before?.string),
            first: json[JSONPointer(["first"])]?.string, count: Int(count), digest: digest)
    }
}
