public import WireText

/// Where a service is.
///
/// It can be written as a text. One that is no address is an ``AddressError`` when the request is made.
public struct BaseURL: Equatable, Sendable {
    let address: Result<Address, AddressError>

    /// Takes an address.
    public init(_ address: Address) { self.address = .success(address) }

    /// Takes an address as a text.
    public init(_ text: String) {
        address = Result { () throws(AddressError) in try Address(text) }
    }
}

extension BaseURL: ExpressibleByStringLiteral {
    /// Takes an address written as a text.
    public init(stringLiteral text: String) { self.init(text) }
}

/// Why a request could not be made.
public enum RequestError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The base URL or the path is none.
    case address(AddressError)
    /// Neither the client nor the call has a base URL.
    case noBaseURL
    /// A header field is none.
    case header(HeaderFieldError)
    /// A value has no JSON; where in the model, and why.
    case unencodable(at: JSONPointer, reason: String)
    /// The endpoint says why, in one sentence without its full stop.
    case invalid(String)

    /// One sentence without its full stop.
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
