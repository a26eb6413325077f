public import HTTPTypes
public import WireText

/// One endpoint of a web API: a type that ties what is asked to what the answer becomes.
///
/// ```swift
/// struct UserByLogin: Endpoint {
///     let login: String
///     var call: Call<User> { Call("/users/\(login)") }
/// }
/// ```
///
/// It has one requirement and no default, so that a misspelt part does not compile. A ``Call`` is an
/// endpoint by itself, for what needs no type of its own.
public protocol Endpoint<Model>: Sendable {
    /// What a response becomes.
    associatedtype Model: Sendable

    /// What is asked, and how the answer is read.
    var call: Call<Model> { get throws(RequestError) }
}

/// All about one call: what is asked, and how the answer becomes a model.
public struct Call<Model: Sendable>: Endpoint {
    /// The call's name in messages; nil for the name of the endpoint's type, or of the model's.
    public var name: String?
    /// Where the service is; nil for the client's.
    public var baseURL: BaseURL?
    /// The path after the base URL.
    public var path: Path
    /// The query, in order.
    public var queries: [Query]
    /// The header fields; those of the client and `Accept` are added if they are missing.
    public var headers: HTTPFields
    /// Method and content.
    public var methodAndPayload: MethodAndPayload
    /// Which statuses have a model; any other is an error, and the parser does not see it.
    public var statuses: AcceptedStatuses
    /// Makes a model of a response.
    public var parser: Parser<Model>

    /// How one page leads to the next, if the model is a page.
    var paging: Paging?

    /// Itself.
    public var call: Call { self }

    /// Makes a call; a query that is nil is left out.
    public init(
        _ path: Path = .empty, queries: [Query?] = [], headers: HTTPFields = [:],
        _ methodAndPayload: MethodAndPayload = .get, baseURL: BaseURL? = nil,
        named name: String? = nil,
        accepting statuses: AcceptedStatuses = .successful, parser: Parser<Model>
    ) {
        self.name = name
        self.baseURL = baseURL
        self.path = path
        self.queries = queries.compactMap(\.self)
        self.headers = headers
        self.methodAndPayload = methodAndPayload
        self.statuses = statuses
        self.parser = parser
    }

    /// Makes a call of a request that is there already.
    public init(
        _ request: Request, named name: String? = nil,
        accepting statuses: AcceptedStatuses = .successful, parser: Parser<Model>
    ) {
        self.init(
            queries: request.queries, headers: request.headers, request.methodAndPayload,
            baseURL: BaseURL(request.url), named: name, accepting: statuses, parser: parser)
    }
}

extension Call where Model: Decodable {
    /// Makes a call whose answer has the model as JSON, at `pointer`; a query that is nil is left out.
    public init(
        _ path: Path, queries: [Query?] = [], headers: HTTPFields = [:],
        _ methodAndPayload: MethodAndPayload = .get, baseURL: BaseURL? = nil,
        at pointer: JSONPointer = JSONPointer()
    ) {
        self.init(
            path, queries: queries, headers: headers, methodAndPayload, baseURL: baseURL,
            parser: .json(at: pointer))
    }
}

extension Call where Model == String {
    /// Makes a call whose answer is text; a query that is nil is left out.
    public init(
        _ path: Path, queries: [Query?] = [], headers: HTTPFields = [:],
        _ methodAndPayload: MethodAndPayload = .get, baseURL: BaseURL? = nil
    ) {
        self.init(
            path, queries: queries, headers: headers, methodAndPayload, baseURL: baseURL,
            parser: .text)
    }
}

extension Call where Model == Void {
    /// Makes a call of whose answer only the success counts; a query that is nil is left out.
    public init(
        _ path: Path, queries: [Query?] = [], headers: HTTPFields = [:],
        _ methodAndPayload: MethodAndPayload = .get, baseURL: BaseURL? = nil
    ) {
        self.init(
            path, queries: queries, headers: headers, methodAndPayload, baseURL: baseURL,
            parser: .nothing)
    }
}

/// Which statuses of a response have a model.
public enum AcceptedStatuses: Hashable, Sendable {
    /// 200 to 299.
    case successful
    /// 200 to 299, and these.
    case successfulOr(Set<Int>)
    /// All: the parser decides.
    case any

    func contains(_ status: HTTPResponse.Status) -> Bool {
        switch self {
        case .successful: status.kind == .successful
        case .successfulOr(let others): status.kind == .successful || others.contains(status.code)
        case .any: true
        }
    }
}

extension Endpoint {
    /// The endpoint's name in messages.
    var name: String { (try? call)?.name ?? EndpointName.of(Self.self) }
}

/// What endpoints without a name are called.
private enum EndpointName {
    /// A type's name with the types around it, but without its module; of a `Call`, that of its model.
    static func of(_ type: Any.Type) -> String {
        var text = String(reflecting: type)[...]
        if let model = text.wholeMatch(of: /WebAPI\.Call<(.*)>/) { text = model.1 }
        // A private type's name has "(unknown context at …)" in it.
        let parts = text.prefix { $0 != "<" }.split(separator: ".").dropFirst()
            .filter { !$0.hasPrefix("(") }
        return parts.isEmpty ? String(text) : parts.joined(separator: ".")
    }
}
