import HTTPTypes
package import WireText

extension Response {
    /// The content as UTF-8, however the server wrote it.
    ///
    /// A byte order mark ahead of it is left out (RFC 8259, section 8.1, lets a reader do so). What
    /// is no UTF-8 is read as ISO-8859-1 where the type says so; what is UTF-8 stays that, for JSON
    /// is never anything else (the same section), and many servers name a charset they do not use.
    package var contentInUTF8: [UInt8] {
        if payload.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(payload.dropFirst(3)) }
        guard isLatin1, String(validating: payload, as: UTF8.self) == nil else { return payload }
        return Array(String(String.UnicodeScalarView(payload.map { Unicode.Scalar($0) })).utf8)
    }

    /// Reads the content as JSON, whatever its stated type.
    ///
    /// - Parameter depth: How deep it may be nested.
    /// - Returns: The value.
    /// - Throws: `JSONSyntaxError`, which counts bytes in ``contentInUTF8``.
    package func jsonContent(
        maximumDepth depth: Int = JSONReader.maximumDepth
    ) throws(JSONSyntaxError) -> JSONValue {
        try JSONReader.read(contentInUTF8, maximumDepth: depth)
    }

    /// Whether the type names ISO-8859-1, under its name or one of its aliases.
    ///
    /// Rules: RFC 9110, sections 5.6.6 and 8.3.2; IANA, "Character Sets".
    private var isLatin1: Bool {
        let parameters = (headers[.contentType] ?? "").split(separator: ";").dropFirst()
        return parameters.contains { parameter in
            let parts = parameter.lowercased().split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }) == "charset" else {
                return false
            }
            let name = parts[1].filter { !$0.isWhitespace && $0 != "\"" }
            return ["iso-8859-1", "iso_8859-1", "latin1", "l1"].contains(name)
        }
    }
}
