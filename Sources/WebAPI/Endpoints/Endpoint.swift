public import HTTPTypes
public import WireText

/// An endpoint of a web API: a request, and how to turn its response into a model.
///
/// ```swift
/// struct UserByLogin: Endpoint {
///     let login: String
///     var call: Call<User> { Call("/users/\(login)") }
/// }
/// ```
///
/// The protocol has one requirement and no defaults, so a misspelt property does not compile. For a request that does
/// not need its own type, use a ``Call``, which is also an endpoint.
public protocol Endpoint<Model>: Sendable {
    /// The result type of a call.
    associatedtype Model: Sendable

    /// The request, and how to read its response.
    var call: Call<Model> { get throws(RequestError) }
}

/// A request, and how to turn its response into a model.
public struct Call<Model: Sendable>: Endpoint {
    /// The name shown in messages.
    ///
    /// If it is nil, messages show the name of the endpoint's type, or the name of the model's type for a plain
    /// ``Call``.
    public var name: String?
    /// The base URL; nil to use the client's.
    public var baseURL: BaseURL?
    /// The path to append to the base URL.
    public var path: Path
    /// The query items, in the order in which they are sent.
    public var queries: [Query]
    /// The header fields; the client adds `Accept` and its default fields if they are missing.
    public var headers: HTTPFields
    /// The HTTP method and the content to send, if any.
    public var methodAndPayload: MethodAndPayload
    /// The statuses that the parser handles; any other status makes the call fail.
    public var statuses: AcceptedStatuses
    /// The parser that turns a response with an accepted status into a model.
    public var parser: Parser<Model>

    /// How to get the next page, if the model is a page; nil otherwise.
    var paging: Paging?

    /// The call itself, as ``Endpoint`` requires.
    public var call: Call { self }

    /// Creates a call; nil query items are left out.
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

    /// Creates a call that sends an existing request.
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
    /// Creates a call that decodes the model at `pointer` in a JSON response.
    public init(
        _ path: Path, queries: [Query?] = [], headers: HTTPFields = [:],
        _ methodAndPayload: MethodAndPayload = .get, baseURL: BaseURL? = nil,
        at pointer: JSONPointer = []
    ) {
        self.init(
            path, queries: queries, headers: headers, methodAndPayload, baseURL: baseURL,
            parser: .json(at: pointer))
    }
}

extension Call where Model == String {
    /// Creates a call that returns the response's content as text; nil query items are left out.
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
    /// Creates a call that ignores the response's content; nil query items are left out.
    public init(
        _ path: Path, queries: [Query?] = [], headers: HTTPFields = [:],
        _ methodAndPayload: MethodAndPayload = .get, baseURL: BaseURL? = nil
    ) {
        self.init(
            path, queries: queries, headers: headers, methodAndPayload, baseURL: baseURL,
            parser: .nothing)
    }
}

/// The statuses of responses that the parser handles; any other status makes the call fail.
public enum AcceptedStatuses: Hashable, Sendable {
    /// The statuses from 200 to 299.
    case successful
    /// The statuses from 200 to 299, and those in this set.
    case successfulOr(Set<Int>)
    /// All statuses; the parser can throw an error to reject one.
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
    /// The name shown in messages: the call's own name, or else a name derived from the endpoint's type.
    var name: String {
        if let name = (try? call)?.name { return name }
        var text = String(reflecting: Self.self)[...]
        if let model = text.wholeMatch(of: /WebAPI\.Call<(.*)>/) { text = model.1 }
        // The name of a private type contains "(unknown context at …)".
        let parts = text.prefix { $0 != "<" }.split(separator: ".").dropFirst()
            .filter { !$0.hasPrefix("(") }
        return parts.isEmpty ? String(text) : parts.joined(separator: ".")
    }
}

/// The base URL of a service, to which calls append their paths.
///
/// A base URL can be written as a string literal. If the text is not an address, requests fail with
/// ``RequestError/address(_:)``.
public struct BaseURL: Equatable, Sendable {
    let address: Result<Address, AddressError>

    /// Creates a base URL from an address, which is always valid.
    public init(_ address: Address) { self.address = .success(address) }

    /// Creates a base URL from text; if the text is invalid, requests fail.
    public init(_ text: String) {
        address = Result { () throws(AddressError) in try Address(text) }
    }
}

extension BaseURL: ExpressibleByStringLiteral {
    /// Creates a base URL from a literal; if the literal is invalid, requests fail.
    public init(stringLiteral text: String) { self.init(text) }
}

/// Why a request could not be built.
public enum RequestError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The base URL or path is invalid.
    case address(AddressError)
    /// Neither the client nor the call has a base URL.
    case noBaseURL
    case header(HeaderFieldError)
    /// A value in the model to send cannot be encoded as JSON; `at` is the JSON pointer to the value.
    case unencodable(at: JSONPointer, reason: String)
    /// The endpoint cannot build its request; the text is the reason, without a full stop.
    case invalid(String)

    /// Why the request could not be built, as a message without a full stop.
    public var description: String {
        switch self {
        case .address(let error): error.description
        case .noBaseURL: "there is no base URL: expected one of the client or of the call"
        case .header(let error): error.description
        case .unencodable(let pointer, let reason):
            "the request's content cannot be written: \(reason)"
                + (pointer.tokens.isEmpty
                    ? "" : " at " + Escaping.line.escaped(pointer.description))
        case .invalid(let reason): reason
        }
    }
}
