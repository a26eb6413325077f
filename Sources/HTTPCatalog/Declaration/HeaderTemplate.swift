/// The value of a header field.
///
/// Rule: RFC 9110, section 5.5: visible ASCII, with spaces and tabs only in between. Bytes beyond
/// ASCII are allowed there but mean nothing that two servers agree on, so they are not sent.
package struct HeaderTemplate: Hashable, Sendable {
    /// The value as it was written.
    package let template: Template

    /// Reads a header's value.
    ///
    /// - Parameter text: The value with its placeholders.
    /// - Throws: What ``Template`` throws, and `TemplateError.notInHeader`.
    package init(_ text: String) throws(TemplateError) {
        template = try Template(text)
        for case .literal(let literal) in template.parts {
            if let scalar = literal.unicodeScalars.first(where: { !Self.isAllowed($0) }) {
                throw .notInHeader(text: text, found: scalar)
            }
        }
        for case let end? in [text.unicodeScalars.first, text.unicodeScalars.last] {
            guard end.value != 0x20, end.value != 0x09 else {
                throw .notInHeader(text: text, found: end)
            }
        }
    }

    /// The value with values in it.
    ///
    /// - Parameter values: What comes in for the placeholders.
    /// - Returns: The value; nil where something in it cannot stand in a header field, for there is
    ///   no escaping in one.
    func rendered(_ values: [String: String]) -> String? {
        let value = template.rendered(values)
        guard Self.isValue(value) else { return nil }
        return value
    }

    /// Whether a text can be the value of a header field as it is.
    static func isValue(_ text: String) -> Bool {
        let ends = [text.utf8.first, text.utf8.last].compactMap(\.self)
        return text.unicodeScalars.allSatisfy(isAllowed)
            && !ends.contains { $0 == 0x20 || $0 == 0x09 }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        (0x20...0x7E).contains(scalar.value) || scalar.value == 0x09
    }
}
