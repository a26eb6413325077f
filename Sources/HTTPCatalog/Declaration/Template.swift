import WebAPI
import WireText

/// Text with placeholders in braces, such as `/product/{code}.json`.
///
/// A placeholder's name is a lower-case letter followed by lower-case letters, digits and `_`; `{{` and `}}` are
/// literal braces. The type that contains a template decides how to escape values: ``PathTemplate``,
/// ``HeaderTemplate``, ``JSONTemplate``, or ``RequestDeclaration`` for queries and forms.
package struct Template: Equatable, Sendable {
    package enum Part: Equatable, Sendable {
        case literal(String)
        case placeholder(String)
    }

    package let text: String
    /// The literals and placeholders of the text, in order; no two literals are adjacent.
    package let parts: [Part]

    package var placeholders: [String] {
        parts.compactMap { if case .placeholder(let name) = $0 { name } else { nil } }
    }

    package static func isName(_ text: String) -> Bool {
        text.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil
    }

    func rendered(_ values: [String: String], missing: String = "") -> String {
        parts.map { part in
            switch part {
            case .literal(let literal): literal
            case .placeholder(let name): values[name] ?? missing
            }
        }.joined()
    }
}

extension Template {
    /// Parses a template; an error gives the offending brace's offset in Unicode scalars, counted from 0.
    package init(_ text: String) throws(TemplateError) {
        var parts: [Part] = []
        var literal = ""
        var end = text.startIndex
        let braces = /\{\{|\}\}|\{([^}]*)\}|[{}]/.matchingSemantics(.unicodeScalar)
        for match in text.matches(of: braces) {
            literal += text[end..<match.range.lowerBound]
            end = match.range.upperBound
            guard !["{{", "}}"].contains(match.0) else {
                literal += match.0.prefix(1)
                continue
            }
            let name = match.1.map(String.init)
            guard let name, Self.isName(name) else {
                throw TemplateError(brace: match.range.lowerBound, of: text, name: name)
            }
            if !literal.isEmpty { parts.append(.literal(literal)) }
            parts.append(.placeholder(name))
            literal = ""
        }
        literal += text[end...]
        if !literal.isEmpty { parts.append(.literal(literal)) }
        self.init(text: text, parts: parts)
    }
}

extension TemplateError {
    /// Creates the error for an invalid name in braces; for an unmatched brace, `name` is nil.
    fileprivate init(brace: String.Index, of text: String, name: String?) {
        let offset = text.unicodeScalars.distance(from: text.startIndex, to: brace)
        let what =
            if let name {
                "has \(name.quoted()) in braces at character \(offset); expected a name of a-z, 0-9 and "
                    + "_ such as {code}."
            } else if text.unicodeScalars[brace] == "{" {
                "opens a brace at character \(offset) and never closes it; expected {code}, or {{ for a "
                    + "brace."
            } else {
                "closes a brace at character \(offset) that was not opened; expected }} for a brace."
            }
        self.init("The template \(text.quoted()) \(what)")
    }
}

/// A request's path, in which a placeholder's value never spans several segments.
///
/// Rule: RFC 3986, section 3.3 (path characters) and section 5.2.4 (dot segments).
package struct PathTemplate: Equatable, Sendable {
    package let template: Template
    package static let root = Self(template: Template(text: "/", parts: [.literal("/")]))

    /// Replaces the placeholders with values.
    ///
    /// Appending the path to an address fails if a value is empty, or if a segment is `.` or `..`: servers and proxies
    /// resolve such segments even if they are percent-encoded.
    func rendered(_ values: [String: String]) -> Path {
        var pieces = Path.StringInterpolation(literalCapacity: 32, interpolationCount: 2)
        for part in template.parts {
            switch part {
            case .literal(let literal): pieces.appendLiteral(literal)
            case .placeholder(let name): pieces.appendInterpolation(values[name] ?? "")
            }
        }
        return Path(stringInterpolation: pieces)
    }
}

extension PathTemplate {
    /// Parses a percent-encoded path without a query; the path must start with a slash.
    package init(_ text: String) throws(TemplateError) {
        let template = try Template(text)
        guard text.utf8.first == UInt8(ascii: "/") else {
            throw TemplateError("The path \(text.quoted()) does not start with a slash.")
        }
        do throws(AddressError) {
            _ = try Path(encoded: template.rendered([:], missing: "x"))
        } catch {
            throw TemplateError("The path \(text.quoted()) is invalid: \(error.problem).")
        }
        self.init(template: template)
    }
}

/// The value of a header field, with placeholders.
///
/// Rule: RFC 9110, section 5.5: visible ASCII, with spaces and tabs only between other characters. The RFC also allows
/// bytes outside ASCII, but servers disagree on their meaning, so keywedge does not send them.
package struct HeaderTemplate: Equatable, Sendable {
    package let template: Template

    package init(_ text: String) throws(TemplateError) {
        template = try Template(text)
        // A placeholder consists of allowed characters only.
        if let fault = Self.fault(in: text) {
            throw TemplateError(
                "The header \(text.quoted()) has \(String(fault).quoted()) in it; "
                    + "expected printable ASCII without spaces at its ends.")
        }
    }

    /// Replaces the placeholders with values; nil if the result is not allowed in a header field.
    func rendered(_ values: [String: String]) -> String? {
        let value = template.rendered(values)
        return Self.fault(in: value) == nil ? value : nil
    }

    /// Returns a character that is not allowed at its position in a header field; nil if all are allowed.
    private static func fault(in text: String) -> Unicode.Scalar? {
        let scalars = text.unicodeScalars
        let ends = [scalars.first, scalars.last].compactMap(\.self)
        return scalars.first { !(0x20...0x7E).contains($0.value) && $0 != "\t" }
            ?? ends.first { $0 == " " || $0 == "\t" }
    }
}

package struct TemplateError: Error, Equatable, CustomStringConvertible {
    package let description: String

    fileprivate init(_ description: String) { self.description = description }
}
