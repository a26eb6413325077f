import WireText

/// A text with placeholders in braces, as it stands in a declaration: `/product/{code}.json`.
///
/// A placeholder is a small letter followed by small letters, digits and `_`, and perhaps how its
/// value is encoded first: `{code|base64}`. `{{` and `}}` are braces. What comes in for a placeholder is escaped for the place the template stands in, which
/// is decided by the type the template is part of: ``PathTemplate``, ``HeaderTemplate``,
/// ``JSONTemplate``, ``GraphQLTemplate``, and ``RequestDeclaration`` for queries and forms.
package struct Template: Hashable, Sendable {
    /// A part of a template.
    package enum Part: Hashable, Sendable {
        /// Text that stands as it is.
        case literal(String)
        /// The name of what comes in here, and how it is encoded ahead of what its place asks for.
        case placeholder(String, as: Encoding? = nil)
    }

    /// How a value is encoded.
    package enum Encoding: String, CaseIterable, Hashable, Sendable {
        /// Base64 of its UTF-8, with padding (RFC 4648, section 4).
        case base64
        /// As it stands between the quotation marks of a JSON text (RFC 8259, section 7).
        case json

        /// The value, encoded.
        func encoded(_ value: String) -> String {
            switch self {
            case .base64: Base64.encoded(value)
            case .json: Escaping.json.escaped(value)
            }
        }
    }

    /// The template as it was written.
    package let text: String
    /// What it consists of, in order; no two literals stand side by side.
    package let parts: [Part]

    /// The template `/`.
    static let slash = Template(text: "/", parts: [.literal("/")])

    private init(text: String, parts: [Part]) {
        self.text = text
        self.parts = parts
    }

    /// Reads a template.
    ///
    /// - Parameter text: The text with its placeholders.
    /// - Throws: `TemplateError.openBrace`, `.strayBrace` or `.noName`, each with the 0-based
    ///   offset of the brace in Unicode scalars.
    package init(_ text: String) throws(TemplateError) {
        self.text = text
        var reader = TemplateReader(text)
        parts = try reader.parts()
    }

    /// The names of the placeholders, in order, each as often as it stands there.
    package var placeholders: [String] {
        parts.compactMap { part in
            if case .placeholder(let name, _) = part { name } else { nil }
        }
    }

    /// Whether a text can be the name of a placeholder.
    ///
    /// - Parameter text: The text, without braces.
    /// - Returns: Whether it is a small letter followed by small letters, digits and `_`.
    package static func isName(_ text: String) -> Bool { TemplateReader.isName(text) }

    /// Puts values in the place of the placeholders.
    ///
    /// - Parameters:
    ///   - values: What comes in.
    ///   - missing: What comes in for a placeholder without a value.
    /// - Returns: The text.
    func rendered(_ values: [String: String], missing: String = "") -> String {
        var result = ""
        for part in parts {
            switch part {
            case .literal(let literal): result += literal
            case .placeholder(let name, let encoding):
                result += encoding.value(of: name, in: values) ?? missing
            }
        }
        return result
    }
}

extension Template.Encoding? {
    /// The value of a placeholder, encoded; nil where there is none.
    func value(of name: String, in values: [String: String]) -> String? {
        values[name].map { value in map { $0.encoded(value) } ?? value }
    }
}
