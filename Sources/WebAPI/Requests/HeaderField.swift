public import HTTPTypes

/// Makes header fields of texts that were not written by a developer.
public enum HeaderField {
    /// Makes a field, or says why it cannot be.
    ///
    /// `HTTPField` puts spaces where a value holds what no value may; here that is an error.
    ///
    /// - Parameters:
    ///   - name: A token.
    ///   - value: Visible characters, spaces and tabs; no line break, no NUL, nothing beyond ASCII.
    ///   - isSecret: Whether the value stays out of every description.
    /// - Returns: The field.
    /// - Throws: ``HeaderFieldError``.
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
