import WebAPI
import WireText

/// A text with placeholders in braces, as it is written in a declaration: `/product/{code}.json`.
///
/// A placeholder is a small letter followed by small letters, digits and `_`; `{{` and `}}` are
/// braces. The value of a placeholder is escaped for the place of the template, which the type around
/// it decides: ``PathTemplate``, ``HeaderTemplate``, ``JSONTemplate``, and ``RequestDeclaration`` for
/// queries and forms.
package struct Template: Equatable, Sendable {
    package enum Part: Equatable, Sendable {
        case literal(String)
        case placeholder(String)
    }

    /// The template as it was written.
    package let text: String
    /// What it consists of, in order; two literals never follow each other.
    package let parts: [Part]

    fileprivate static let slash = Template(text: "/", parts: [.literal("/")])

    private init(text: String, parts: [Part]) {
        self.text = text
        self.parts = parts
    }

    /// Reads a template; an error names the 0-based offset of a brace in Unicode scalars.
    package init(_ text: String) throws(TemplateError) {
        let scalars = Array(text.unicodeScalars)
        var parts: [Part] = []
        var literal = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            let isDoubled = index + 1 < scalars.count && scalars[index + 1] == scalars[index]
            switch scalars[index] {
            case "{" where isDoubled, "}" where isDoubled:
                literal.append(scalars[index])
                index += 2
            case "{":
                let name = try Self.name(at: index, in: scalars, text)
                if !literal.isEmpty { parts.append(.literal(String(literal))) }
                literal = .init()
                parts.append(.placeholder(name))
                index += name.unicodeScalars.count + 2
            case "}":
                throw TemplateError(
                    "The template \(text.quoted()) closes a brace at character \(index) that was not "
                        + "opened; expected }} for a brace.")
            default:
                literal.append(scalars[index])
                index += 1
            }
        }
        if !literal.isEmpty { parts.append(.literal(String(literal))) }
        self.init(text: text, parts: parts)
    }

    private static func name(
        at index: Int, in scalars: [Unicode.Scalar], _ text: String
    ) throws(TemplateError) -> String {
        let rest = scalars[(index + 1)...]
        guard let end = rest.firstIndex(of: "}") else {
            throw TemplateError(
                "The template \(text.quoted()) opens a brace at character \(index) and never closes "
                    + "it; expected {code}, or {{ for a brace.")
        }
        let name = String(String.UnicodeScalarView(rest[..<end]))
        guard isName(name) else {
            throw TemplateError(
                "The template \(text.quoted()) has \(name.quoted()) in braces at character \(index); "
                    + "expected a name of a-z, 0-9 and _ such as {code}.")
        }
        return name
    }

    /// The names of the placeholders, in order, each as often as it occurs.
    package var placeholders: [String] {
        parts.compactMap { if case .placeholder(let name) = $0 { name } else { nil } }
    }

    /// Whether a text, without braces, can be the name of a placeholder.
    package static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
        return text.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
        }
    }

    /// The text with values for the placeholders, and `missing` for those without a value.
    func rendered(_ values: [String: String], missing: String = "") -> String {
        parts.map { part in
            switch part {
            case .literal(let literal): literal
            case .placeholder(let name): values[name] ?? missing
            }
        }.joined()
    }
}

/// The path of a request, in which each value is one segment or part of one.
///
/// Rule: RFC 3986, section 3.3 (path characters) and section 5.2.4 (dot segments).
package struct PathTemplate: Equatable, Sendable {
    package let template: Template

    /// The path `/`.
    package static let root = PathTemplate(template: .slash)

    private init(template: Template) { self.template = template }

    /// Reads a path from its first slash on, percent-encoded where a URL needs it, without a query and
    /// segments `.` or `..`.
    package init(_ text: String) throws(TemplateError) {
        template = try Template(text)
        guard text.utf8.first == UInt8(ascii: "/") else {
            throw TemplateError("The path \(text.quoted()) does not start with a slash.")
        }
        do throws(AddressError) {
            _ = try Path(encoded: template.rendered([:], missing: "x"))
        } catch {
            throw TemplateError("The path \(text.quoted()) is none: \(error.problem).")
        }
    }

    /// The path with values for the placeholders.
    ///
    /// Making an address of it fails if a value is empty, or makes a segment that is `.` or `..`:
    /// servers and proxies take that for a step upwards, encoded or not.
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

/// The value of a header field.
///
/// Rule: RFC 9110, section 5.5: visible ASCII, with spaces and tabs only in between. Bytes beyond
/// ASCII are allowed there but mean nothing that two servers agree on, so they are not sent.
package struct HeaderTemplate: Equatable, Sendable {
    package let template: Template

    package init(_ text: String) throws(TemplateError) {
        template = try Template(text)
        let ends = [text.unicodeScalars.first, text.unicodeScalars.last].compactMap(\.self)
        // A placeholder is of allowed characters.
        let found =
            text.unicodeScalars.first { !Self.isAllowed($0) } ?? ends.first(where: Self.isSpace)
        if let found {
            throw TemplateError(
                "The header \(text.quoted()) has \(String(found).quoted()) in it; "
                    + "expected printable ASCII without spaces at its ends.")
        }
    }

    /// The value with values for the placeholders; nil if the result cannot stand in a header field,
    /// which has no escapes.
    func rendered(_ values: [String: String]) -> String? {
        let scalars = template.rendered(values).unicodeScalars
        guard scalars.allSatisfy(Self.isAllowed),
            ![scalars.first, scalars.last].compactMap(\.self).contains(where: Self.isSpace)
        else { return nil }
        return String(scalars)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        (0x20...0x7E).contains(scalar.value) || scalar.value == 0x09
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { [" ", "\t"].contains(scalar) }
}

/// Why a text is no template for its place, in one sentence.
package struct TemplateError: Error, Equatable, CustomStringConvertible {
    package let description: String

    fileprivate init(_ description: String) { self.description = description }
}
