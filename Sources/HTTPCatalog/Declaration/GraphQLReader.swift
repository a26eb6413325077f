/// Finds the texts of a GraphQL document and the placeholders in them.
struct GraphQLReader {
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
            if starts("\"\"\"") {
                try blockString()
            } else if scalars[index] == "\"" {
                try string()
            } else if scalars[index] == "#" {
                while index < scalars.count, scalars[index] != "\n" { take() }
            } else {
                take()
            }
        }
        endLiteral()
        return found
    }

    private mutating func take() {
        literal.unicodeScalars.append(scalars[index])
        index += 1
    }

    private func starts(_ mark: String) -> Bool {
        scalars[index...].starts(with: mark.unicodeScalars)
    }

    private mutating func string() throws(TemplateError) {
        let start = index
        take()
        while index < scalars.count, scalars[index] != "\n" {
            switch scalars[index] {
            case "\"":
                take()
                return
            case "\\":
                take()
                if index < scalars.count { take() }
            case "{":
                if let placeholder { placed(placeholder) } else { take() }
            default: take()
            }
        }
        throw .openText(text: text, at: start)
    }

    /// A block string escapes nothing but its own end, so no value is let into one.
    private mutating func blockString() throws(TemplateError) {
        let start = index
        for _ in 0..<3 { take() }
        while index < scalars.count {
            if starts("\\\"\"\"") {
                for _ in 0..<4 { take() }
            } else if starts("\"\"\"") {
                for _ in 0..<3 { take() }
                return
            } else if let placeholder {
                throw .outsideText(text: text, name: placeholder.content)
            } else {
                take()
            }
        }
        throw .openText(text: text, at: start)
    }

    /// What stands here in braces, if it is a placeholder.
    private var placeholder: (content: String, part: Template.Part)? {
        guard scalars[index] == "{" else { return nil }
        let rest = scalars[(index + 1)...]
        guard let end = rest.firstIndex(of: "}") else { return nil }
        let content = String(String.UnicodeScalarView(rest[..<end]))
        return TemplateReader.part(content).map { (content, $0) }
    }

    private mutating func placed(_ placeholder: (content: String, part: Template.Part)) {
        endLiteral()
        found.append(placeholder.part)
        index += placeholder.content.unicodeScalars.count + 2
    }

    private mutating func endLiteral() {
        guard !literal.isEmpty else { return }
        found.append(.literal(literal))
        literal = ""
    }
}
