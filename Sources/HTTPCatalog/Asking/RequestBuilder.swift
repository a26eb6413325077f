import HTTPTypes
import WebAPI
import WireText

/// Makes requests of a declaration and the code asked for.
struct RequestBuilder {
    /// Why there is no request.
    enum Problem: Error, Equatable {
        /// The code cannot stand where the declaration puts it; no catalog can have it there.
        case unaskable
        /// The declaration is at fault.
        case invalid(String)
        /// The link that an answer gave is at fault.
        case unusableLink(String)
    }

    let declaration: HTTPCatalogDeclaration
    /// What the client calls itself.
    let userAgent: String

    /// Makes a request, without what authenticates it.
    ///
    /// - Parameters:
    ///   - request: Which of the declaration's requests.
    ///   - values: What comes in for the placeholders, beyond the declaration's variables.
    ///   - entityTag: What to ask with whether an answer still holds.
    ///   - base: What a link is relative to; nil for the catalog's URL.
    /// - Returns: The request.
    /// - Throws: ``Problem``.
    func request(
        _ request: RequestDeclaration, _ values: [String: String], entityTag: String? = nil,
        base: Location? = nil
    ) throws(Problem) -> Request {
        var values = values
        for variable in declaration.variables where values[variable.name] == nil {
            values[variable.name] = variable.value
        }
        let location = try location(of: request, values, base)
        return Request(
            location.address,
            queries: location.queries
                + request.query.map { Query($0.name, $0.value.rendered(values)) },
            headers: try headers(request, values, entityTag),
            Self.methodAndPayload(request.body, values))
    }

    private func location(
        of request: RequestDeclaration, _ values: [String: String], _ base: Location?
    ) throws(Problem) -> Location {
        let url: Address
        do throws(AddressError) {
            url = try Address(declaration.url)
            if request.link == nil {
                return Location(address: try url.appending(request.path.rendered(values)))
            }
        } catch {
            guard error.problem != .dotSegment, error.problem != .emptySegment else {
                throw .unaskable
            }
            throw .invalid("\(error)")
        }
        let link = request.link.flatMap { values[$0] } ?? ""
        return try Self.target(link, of: base ?? Location(address: url), url)
    }

    /// Where a link leads; it is not quoted, for there may be a key in it.
    private static func target(
        _ link: String, of base: Location, _ url: Address
    ) throws(Problem) -> Location {
        let target: Location
        do throws(AddressError) {
            target = try base.resolving(link)
        } catch {
            throw .unusableLink("a link that is none (\(error.problem))")
        }
        guard target.address.origin == url.origin else {
            throw .unusableLink(
                "a link to \(target.address.origin); expected one to \(url.origin)")
        }
        return target
    }

    private func headers(
        _ request: RequestDeclaration, _ values: [String: String], _ entityTag: String?
    ) throws(Problem) -> HTTPFields {
        var fields: HTTPFields = [.accept: "application/json", .userAgent: userAgent]
        for header in request.headers {
            guard let value = header.value.rendered(values) else { throw .unaskable }
            do throws(HeaderFieldError) {
                let field = try HeaderField.make(header.name, value)
                fields[field.name] = field.value
            } catch {
                throw .invalid("\(error)")
            }
        }
        if let entityTag { fields[.ifNoneMatch] = entityTag }
        return fields
    }

    private static func methodAndPayload(
        _ body: RequestDeclaration.Body?, _ values: [String: String]
    ) -> MethodAndPayload {
        switch body {
        case nil: return .get
        case .json(let template): return .post(json(template.rendered(values)))
        case .form(let fields):
            return .post(FormText.payload(fields.map { ($0.name, $0.value.rendered(values)) }))
        case .graphQL(let document, let variables):
            var object: JSONObject = ["query": .string(document.rendered(values))]
            if let variables { object.append("variables", variables.rendered(values)) }
            return .post(json(.object(object)))
        }
    }

    private static func json(_ value: JSONValue) -> Payload {
        var bytes: [UInt8] = []
        JSONWriter.append(value, to: &bytes)
        return Payload(bytes, contentType: "application/json")
    }
}
