/// Splits the text of a template into literals and placeholders.
struct TemplateReader {
    private let text: String
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var found: [Template.Part] = []
    private var literal = ""

    init(_ text: String) {
        self.text = text
        scalars = Array(text.unicodeScalars)
    }

    /// The parts, in order.
    mutating func parts() throws(TemplateError) -> [Template.Part] {
        while index < scalars.count {
            switch scalars[index] {
            case "{" where next == "{", "}" where next == "}":
                literal.unicodeScalars.append(scalars[index])
                index += 2
            case "{": try placeholder()
            case "}": throw .strayBrace(text: text, at: index)
            default:
                literal.unicodeScalars.append(scalars[index])
                index += 1
            }
        }
        endLiteral()
        return found
    }

    private var next: Unicode.Scalar? {
        index + 1 < scalars.count ? scalars[index + 1] : nil
    }

    private mutating func placeholder() throws(TemplateError) {
        let rest = scalars[(index + 1)...]
        guard let end = rest.firstIndex(of: "}") else { throw .openBrace(text: text, at: index) }
        let content = String(String.UnicodeScalarView(rest[..<end]))
        let name = Self.name(in: content)
        guard Self.isName(name) else { throw .noName(text: text, at: index, found: content) }
        guard let part = Self.part(content) else {
            let encoding = String(content.dropFirst(name.count + 1))
            throw .noEncoding(text: text, at: index, found: encoding)
        }
        endLiteral()
        found.append(part)
        index = end + 1
    }

    /// What stands between braces, ahead of an encoding.
    private static func name(in content: String) -> String { String(content.prefix { $0 != "|" }) }

    /// The placeholder that stands between braces; nil where the name or the encoding is none.
    static func part(_ content: String) -> Template.Part? {
        let name = name(in: content)
        guard isName(name) else { return nil }
        guard name != content else { return .placeholder(name) }
        return Template.Encoding(rawValue: String(content.dropFirst(name.count + 1))).map {
            .placeholder(name, as: $0)
        }
    }

    private mutating func endLiteral() {
        guard !literal.isEmpty else { return }
        found.append(.literal(literal))
        literal = ""
    }

    /// Whether a text can be the name of a placeholder.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
        return text.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
        }
    }
}
