public import HTTPTypes
import WireText

/// Makes header fields of data.
public enum HeaderField {
    /// Makes a field, or says why it cannot be.
    ///
    /// `HTTPField` puts spaces where a value holds what no value may; here that is an error.
    ///
    /// The name is a token. The value has visible characters, spaces and tabs: no line break, no NUL,
    /// nothing beyond ASCII. A secret one stays out of every description.
    ///
    /// Rule: RFC 9110, sections 5.1 and 5.5.
    public static func make(
        _ name: String, _ value: String, isSecret: Bool = false
    ) throws(HeaderFieldError) -> HTTPField {
        guard let fieldName = HTTPField.Name(name) else { throw .name(name) }
        guard !isTheTransports(fieldName) else { throw .reserved(name) }
        let isVisible = value.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x09 }
        guard isVisible, HTTPField.isValidValue(value) else {
            throw .value(name: name, value: isSecret ? nil : value)
        }
        var field = HTTPField(name: fieldName, value: value)
        if isSecret { field.indexingStrategy = .disallow }
        return field
    }

    /// Fields that frame the message; a wrong one would let a request be read as two.
    static func isTheTransports(_ name: HTTPField.Name) -> Bool {
        ["host", "content-length", "transfer-encoding", "connection", "te", "upgrade", "trailer"]
            .contains(name.canonicalName)
    }
}

/// Why a text is no header field.
public enum HeaderFieldError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The name is no token.
    case name(String)
    /// The field is set by the transport.
    case reserved(String)
    /// The value holds what no value may; it is left out where it is secret.
    case value(name: String, value: String?)

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
