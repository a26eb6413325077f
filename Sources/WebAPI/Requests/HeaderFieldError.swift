import WireText

/// Why a text is no header field.
public enum HeaderFieldError: Error, Equatable, Sendable {
    /// The name is no token.
    case name(String)
    /// The field is set by the transport.
    case reserved(String)
    /// The value holds what no value may; it is left out where it is secret.
    case value(name: String, value: String?)
}

extension HeaderFieldError: CustomStringConvertible {
    /// One sentence, all of it escaped.
    public var description: String {
        switch self {
        case .name(let name):
            "\(name.quoted(upTo: 120)) is no name of a header; expected letters, digits and any of "
                + "!#$%&'*+-.^_`|~"
        case .reserved(let name):
            "the header \(name.quoted(upTo: 120)) is set by the transport; expected another one"
        case .value(let name, let value):
            "the header \(name.quoted(upTo: 120)) cannot be "
                + (value.map { $0.quoted(upTo: 120) } ?? "what it is set to")
                + "; expected visible ASCII characters, spaces and tabs, not at the ends"
        }
    }
}
