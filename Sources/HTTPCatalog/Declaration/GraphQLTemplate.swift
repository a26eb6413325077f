import WireText

/// A GraphQL document with placeholders inside its texts.
///
/// Braces are GraphQL's own everywhere but in texts, hence a placeholder is one only between
/// quotation marks, where it is escaped; `{{` is nothing special in a document. A document that
/// takes its code as a variable needs no placeholder at all.
///
/// Rule: GraphQL (October 2021), section 2.9.4 (string values) and section 2.1.2 (comments).
package struct GraphQLTemplate: Hashable, Sendable {
    /// The document as it was written.
    package let text: String
    private let parts: [Template.Part]

    /// Reads a document.
    ///
    /// - Parameter text: The document with its placeholders.
    /// - Throws: `TemplateError.outsideText` for a placeholder in a block string, `.openText`.
    package init(_ text: String) throws(TemplateError) {
        self.text = text
        var reader = GraphQLReader(text)
        parts = try reader.parts()
    }

    /// The names of the placeholders, in order.
    package var placeholders: [String] {
        parts.compactMap { part in
            if case .placeholder(let name, _) = part { name } else { nil }
        }
    }

    /// The document with values in it.
    ///
    /// JSON's escapes are GraphQL's too, and what is escaped is at least what both ask for.
    func rendered(_ values: [String: String]) -> String {
        var result = ""
        for part in parts {
            switch part {
            case .literal(let literal): result += literal
            case .placeholder(let name, let encoding):
                result += Escaping.json.escaped(encoding.value(of: name, in: values) ?? "")
            }
        }
        return result
    }
}
