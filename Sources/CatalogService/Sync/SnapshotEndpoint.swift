import Catalog
import FoundationEssentials
import HTTPService
import HTTPTypes
import WebAPI
import WireText

/// A part of the file that another keywedge makes of its catalog.
///
/// It is asked for without `If-Range`: where the file has become another one, that would bring all of
/// it at once. What comes says by its tag whose part it is.
struct SnapshotEndpoint: Endpoint {
    /// What the service answers.
    enum Model: Sendable {
        /// Bytes from the offset on.
        case part(SnapshotHead, [UInt8])
        /// The file has no bytes there: it is another one by now.
        case outside
        /// There is no such file, or none at the moment.
        case none
    }

    let base: Address
    let offset: Int64
    let count: Int
    let token: BearerToken?
    /// The shop whose products they are; nil for all, or that of the token.
    let scope: CatalogScope?

    let endpointName = "catalog snapshot"
    var baseURL: BaseURL { BaseURL(base) }
    var path: Path { "/v1/snapshot" }

    var queries: [Query] { ChangesEndpoint.queries(scope) }

    var headers: HTTPFields {
        get throws(RequestError) {
            var fields = try ChangesEndpoint.fields(token)
            fields[.accept] = "application/gzip"
            fields[.range] = "bytes=\(offset)-\(offset + Int64(count) - 1)"
            return fields
        }
    }

    func model(from response: Response) throws(TransformError) -> Model {
        switch response.status {
        case .notFound, .methodNotAllowed, .notImplemented: return .none
        case .rangeNotSatisfiable: return .outside
        case .serviceUnavailable:
            let code = (try? response.json())?[JSONPointer(["code"])]?.string
            if code == "no-snapshot" { return .none }
        default: break
        }
        try check(response)
        // Where only all of it can be had, it may be all.
        let isPart = response.status == .partialContent
        guard let head = SnapshotHead(response.headers, isPart ? nil : response.payload.count),
            head.start == (isPart ? offset : 0)
        else { return .none }
        return .part(head, response.payload)
    }
}

/// What a service says of its file.
struct SnapshotHead: Equatable, Sendable {
    /// The largest file that is taken: that of some hundred million products.
    static let largest: Int64 = 4 << 30

    let tag: String
    let size: Int64
    /// The SHA-256 of all of it.
    let digest: [UInt8]
    let revision: CatalogRevision
    /// Through which services its products come.
    let chain: [String]
    /// Where the bytes begin that came with this.
    let start: Int64

    /// Reads the fields of an answer; nil where one is missing or wrong.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - count: How many bytes came, where they are all; nil where `Content-Range` says which.
    init?(_ fields: HTTPFields, _ count: Int?) {
        guard let tag = fields[.eTag], tag.hasPrefix("\""), tag.utf8.count <= 200,
            let text = Self.field("Keywedge-Revision", fields),
            let revision = CatalogRevision(text),
            let digest = Self.field("Repr-Digest", fields).flatMap(Self.digest),
            let chain = ServiceChain.read(Self.field(ChainField.name, fields) ?? "")
        else { return nil }
        if let count {
            (start, size) = (0, Int64(count))
        } else {
            guard let range = fields[.contentRange].flatMap(Self.range) else { return nil }
            (start, size) = range
        }
        guard (1...Self.largest).contains(size) else { return nil }
        (self.tag, self.digest, self.revision, self.chain) = (tag, digest, revision, chain)
    }

    /// Whether both are of the same file.
    func isSameFile(as other: SnapshotHead) -> Bool {
        tag == other.tag && size == other.size && digest == other.digest
            && revision == other.revision
    }

    private static func field(_ name: String, _ fields: HTTPFields) -> String? {
        HTTPField.Name(name).flatMap { fields[$0] }
    }

    /// Rule: RFC 9530, section 3; RFC 8941, section 3.3.5.
    private static func digest(_ text: String) -> [UInt8]? {
        let members = text.split(separator: ",").map { $0.filter { $0 != " " } }
        guard let member = members.first(where: { $0.hasPrefix("sha-256=:") && $0.hasSuffix(":") }),
            let data = Data(base64Encoded: String(member.dropFirst(9).dropLast())), data.count == 32
        else { return nil }
        return Array(data)
    }

    /// Rule: RFC 9110, section 14.4.
    private static func range(_ text: String) -> (start: Int64, size: Int64)? {
        guard text.hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst(6).split(whereSeparator: { $0 == "-" || $0 == "/" })
        guard parts.count == 3, let start = Int64(parts[0]), let size = Int64(parts[2]) else {
            return nil
        }
        return (start, size)
    }
}
