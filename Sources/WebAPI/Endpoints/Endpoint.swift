public import HTTPTypes
public import WireText

/// One endpoint of a web API: all about its request and its response in one place.
///
/// A plain one says where it is and what it gives:
///
/// ```swift
/// struct UserByLogin: Endpoint {
///     struct Model: Decodable, Sendable {
///         let login: String
///         let name: String?
///     }
///     let login: String
///     let baseURL: BaseURL = "https://api.github.com"
///     var path: Path { "/users/\(login)" }
/// }
/// ```
public protocol Endpoint<Model>: Sendable {
    /// What a response becomes.
    associatedtype Model: Sendable

    /// The endpoint's name in messages; the type's own unless said otherwise.
    var endpointName: String { get }

    /// Where the service lives.
    var baseURL: BaseURL { get }

    /// The path behind the base URL; empty unless said otherwise.
    var path: Path { get }

    /// The query, in order; empty unless said otherwise.
    var queries: [Query] { get }

    /// The header fields; unless said otherwise, one that asks for what the model is made of.
    var headers: HTTPFields { get throws(RequestError) }

    /// Method and content; `GET` unless said otherwise.
    var methodAndPayload: MethodAndPayload { get throws(RequestError) }

    /// Makes the request of all that.
    ///
    /// - Returns: The request.
    /// - Throws: ``RequestError``, for what cannot be sent.
    func request() throws(RequestError) -> Request

    /// Judges a response before a model is made of it; one of 200 to 299 passes unless said
    /// otherwise.
    ///
    /// It is the place for a service that throttles with 403, or refuses with 200.
    ///
    /// - Parameter response: The whole response, of any status.
    /// - Throws: ``TransformError``, for a response that has no model.
    func check(_ response: Response) throws(TransformError)

    /// Makes a model of a response; those given here ask ``check(_:)`` first.
    ///
    /// - Parameter response: The whole response, of any status.
    /// - Returns: The model.
    /// - Throws: ``TransformError``, for a response that has none.
    func model(from response: Response) throws(TransformError) -> Model
}

extension Endpoint {
    /// The type's name without its module.
    public var endpointName: String { EndpointName.of(Self.self) }

    /// Nothing behind the base URL.
    public var path: Path { .empty }

    /// No query.
    public var queries: [Query] { [] }

    /// JSON is asked for.
    public var headers: HTTPFields { [.accept: "application/json"] }

    /// Something is read.
    public var methodAndPayload: MethodAndPayload { .get }

    /// Lets success pass, see ``Response/requireSuccess()``.
    public func check(_ response: Response) throws(TransformError) {
        try response.requireSuccess()
    }

    /// Puts the parts together.
    public func request() throws(RequestError) -> Request {
        let url: Address
        do {
            url = try baseURL.address.get().appending(path)
        } catch {
            throw .address(error)
        }
        return Request(url, queries: queries, headers: try headers, try methodAndPayload)
    }
}

/// How endpoints are called where they do not say it themselves.
enum EndpointName {
    /// A type's name with the types around it, but without its module and what is generic.
    static func of(_ type: Any.Type) -> String {
        // A private type's name has "(unknown context at …)" in it.
        String(reflecting: type).prefix { $0 != "<" }.split(separator: ".").dropFirst()
            .filter { !$0.hasPrefix("(") }.joined(separator: ".")
    }
}

/// Where a service lives.
///
/// It can be written as a text. One that is no address is an ``AddressError`` when the request is made.
public struct BaseURL: Equatable, Sendable {
    let address: Result<Address, AddressError>

    /// Takes an address.
    ///
    /// - Parameter address: The address.
    public init(_ address: Address) {
        self.address = .success(address)
    }
}

extension BaseURL: ExpressibleByStringLiteral {
    /// Takes an address written as a text.
    public init(stringLiteral text: String) {
        address = Result { () throws(AddressError) in try Address(text) }
    }
}

/// Why an endpoint's request could not be made.
public enum RequestError: Error, Equatable, Sendable {
    /// The base URL or the path is none.
    case address(AddressError)
    /// A header field is none.
    case header(HeaderFieldError)
    /// A value has no JSON; where in the model, and why.
    case unencodable(at: JSONPointer, reason: String)
    /// The endpoint says why, in one sentence without its full stop.
    case invalid(String)
}

extension RequestError: CustomStringConvertible {
    /// One sentence without its full stop.
    public var description: String {
        switch self {
        case .address(let error): error.description
        case .header(let error): error.description
        case .unencodable(let pointer, let reason):
            "the request's content cannot be written: \(reason)"
                + (pointer.tokens.isEmpty
                    ? "" : " at " + Escaping.line.escaped(pointer.description))
        case .invalid(let reason): reason
        }
    }
}
