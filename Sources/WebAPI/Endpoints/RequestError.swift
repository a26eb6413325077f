public import WireText

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
