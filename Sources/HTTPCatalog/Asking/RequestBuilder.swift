import Catalog
import HTTPTypes
import WebAPI
import WireText

struct RequestBuilder: Sendable {
    private let name: String
    private let url: Result<Address, AddressError>
    private let variables: [Named<String>]
    private let userAgent: String

    init(_ declaration: HTTPCatalogDeclaration, userAgent: String) {
        name = declaration.name
        url = Result { () throws(AddressError) in try Address(declaration.url) }
        variables = declaration.variables
        self.userAgent = userAgent
    }

    /// Builds a request without credentials.
    ///
    /// `values` contains the values of all placeholders except the declaration's variables. If `request` has a link,
    /// its URL can be relative to `base`, or to the catalog's URL if `base` is nil.
    ///
    /// Returns nil if the path or a header field cannot contain the code; the product then counts as not found.
    func request(
        _ request: RequestDeclaration, _ values: [String: String], base: Location? = nil
    ) throws(LookupFailure) -> Request? {
        var values = values
        for variable in variables where values[variable.name] == nil {
            values[variable.name] = variable.value
        }
        guard let location = try location(of: request, values, base),
            let headers = try headers(request, values)
        else { return nil }
        return Request(
            location.address,
            queries: location.queries
                + request.query.map { Query($0.name, $0.value.rendered(values)) },
            headers: headers, Self.methodAndPayload(request.body, values))
    }

    private func location(
        of request: RequestDeclaration, _ values: [String: String], _ base: Location?
    ) throws(LookupFailure) -> Location? {
        let url: Address
        do throws(AddressError) {
            url = try self.url.get()
            if request.link == nil {
                return Location(address: try url.appending(request.path.rendered(values)))
            }
        } catch {
            if [.dotSegment, .emptySegment].contains(error.problem) { return nil }
            throw invalid("\(error)")
        }
        // Do not quote the link, because it may contain a secret.
        let target: Location
        do throws(AddressError) {
            let link = request.link.flatMap { values[$0] } ?? ""
            target = try (base ?? Location(address: url)).resolving(link)
        } catch {
            throw unusable("an invalid link (\(error.problem))")
        }
        guard target.address.origin == url.origin else {
            throw unusable("a link to \(target.address.origin); expected one to \(url.origin)")
        }
        return target
    }

    private func headers(
        _ request: RequestDeclaration, _ values: [String: String]
    ) throws(LookupFailure) -> HTTPFields? {
        var fields: HTTPFields = [.accept: "application/json", .userAgent: userAgent]
        for header in request.headers {
            guard let value = header.value.rendered(values) else { return nil }
            do throws(HeaderFieldError) {
                let field = try HeaderField.make(header.name, value)
                fields[field.name] = field.value
            } catch {
                throw invalid("\(error)")
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

    private func invalid(_ reason: String) -> LookupFailure {
        LookupFailure(.invalidRequest, "The catalog \(name): \(words: reason).")
    }

    private func unusable(_ reason: String) -> LookupFailure {
        LookupFailure(.unusableProduct, "The catalog \(name) answered with \(words: reason).")
    }
}
