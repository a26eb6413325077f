import HTTPTypes
import WebAPI
import WireText

/// Makes requests of a declaration and the code asked for.
struct RequestBuilder: Sendable {
    enum Problem: Error, Equatable {
        /// The code cannot stand where the declaration puts it; no catalog can have it there.
        case unaskable
        case invalid(String)
        case unusableLink(String)
    }

    private let url: Result<Address, AddressError>
    private let variables: [RequestDeclaration.Field<String>]
    private let userAgent: String

    init(_ declaration: HTTPCatalogDeclaration, userAgent: String) {
        url = Result { () throws(AddressError) in try Address(declaration.url) }
        variables = declaration.variables
        self.userAgent = userAgent
    }

    /// Makes a request without what authenticates it, with values for the placeholders that are no
    /// variables; a link is relative to `base`, or to the catalog's URL.
    func request(
        _ request: RequestDeclaration, _ values: [String: String], base: Location? = nil
    ) throws(Problem) -> Request {
        var values = values
        for variable in variables where values[variable.name] == nil {
            values[variable.name] = variable.value
        }
        let location = try location(of: request, values, base)
        return Request(
            location.address,
            queries: location.queries
                + request.query.map { Query($0.name, $0.value.rendered(values)) },
            headers: try headers(request, values), Self.methodAndPayload(request.body, values))
    }

    private func location(
        of request: RequestDeclaration, _ values: [String: String], _ base: Location?
    ) throws(Problem) -> Location {
        let url: Address
        do throws(AddressError) {
            url = try self.url.get()
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

    /// Where a link leads; it is not quoted, since it may contain a key.
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
        _ request: RequestDeclaration, _ values: [String: String]
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
        return fields
    }

    private static func methodAndPayload(
        _ body: RequestDeclaration.Body?, _ values: [String: String]
    ) -> MethodAndPayload {
        switch body {
        case nil: return .get
        case .json(let template): return .post(.json(template.rendered(values)))
        case .form(let fields):
            return .post(.form(fields.map { ($0.name, $0.value.rendered(values)) }))
        case .graphQL(let document, let variables):
            var object: JSONObject = ["query": .string(document)]
            if let variables { object.append("variables", variables.rendered(values)) }
            return .post(.json(.object(object)))
        }
    }
}
