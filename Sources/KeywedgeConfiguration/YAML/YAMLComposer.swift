import WireText
import Yams

/// A parser for a YAML document, which uses libyaml and reports the document's syntax errors.
struct YAMLComposer {
    /// The maximum numbers of aliases and of explicit keys (`? key`).
    ///
    /// Without these limits, Yams could spend hours hashing a few nested aliases or keys.
    private static let most = (aliases: 4, keys: 16)

    private let text: String
    /// The lines of the text, as libyaml counts them.
    private let lines: [Substring]
    private let context: ReadingContext

    private init(_ text: String, _ context: ReadingContext) {
        self.text = text
        self.context = context
        lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    /// Parses a text that consists of one YAML document, without a byte order mark.
    ///
    /// Returns nil if the document is empty, or after reporting a mistake such as a syntax error or a second document.
    static func compose(_ text: String, _ context: ReadingContext) -> Node? {
        let composer = Self(text, context)
        guard composer.hasSimpleKeys() else { return nil }
        do {
            let parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
            context.parser = parser
            return try parser.singleRoot()
        } catch {
            composer.report(error)
            return nil
        }
    }

    /// Returns whether aliases and explicit keys are within their limits; if not, reports the first one too many.
    ///
    /// Searches the unparsed text, so even in a quoted string, `*name` counts as an alias if `&name` precedes it.
    private func hasSimpleKeys() -> Bool {
        guard text.utf8.contains(where: { "&?".utf8.contains($0) }) else { return true }
        var anchors: Set<Substring> = []
        var (aliases, keys) = (0, 0)
        for (line, text) in lines.enumerated() {
            for match in text.matches(of: /[&*][A-Za-z0-9_-]+|(?:^|[\s\[{,])\?(?=\s|$)/) {
                let name = match.output.dropFirst()
                switch match.output.first {
                case "&": anchors.insert(name)
                case "*": aliases += anchors.contains(name) ? 1 : 0
                default: keys += 1
                }
                guard aliases > Self.most.aliases || keys > Self.most.keys else { continue }
                let isAlias = aliases > Self.most.aliases
                context.report(
                    line: line + 1, expected: isAlias ? Node.expectedValue : "names as keys",
                    found: isAlias ? "the alias \(quoted: String(match.output))" : "a key with ?")
                return false
            }
        }
        return true
    }

    private func report(_ error: any Error) {
        switch error {
        case YamlError.scanner(let start, let problem, let mark, _),
            YamlError.parser(let start, let problem, let mark, _),
            YamlError.composer(let start, let problem, let mark, _):
            report(problem, at: mark, in: start)
        case YamlError.duplicatedKeysInMapping(let keys, let place):
            let name: Phrase = keys.first.map { "\(quoted: $0)" } ?? "one"
            report(
                place.mark.line, place.mark.column, "each key once",
                "the key \(name) again further down")
        case YamlError.reader(_, let offset?, let value, _):
            report(forbidden: UInt32(truncatingIfNeeded: value), at: offset)
        default:
            context.report(
                expected: "valid YAML", found: "\(quoted: String(describing: error))")
        }
    }

    private func report(forbidden value: UInt32, at offset: Int) {
        let before = text.prefix(offset).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let character = String(Unicode.Scalar(value) ?? "\u{FFFD}")
        report(
            before.count, (before.last?.unicodeScalars.count ?? 0) + 1,
            "text without control characters, or their escapes in quotation marks",
            "\(quoted: character)")
    }

    private func report(_ problem: String, at mark: Mark, in start: YamlError.Context?) {
        if problem == "but found another document" {
            report(mark.line, mark.column, "one YAML document", "a second one")
        } else if isIndentedWithTab(mark.line) {
            report(mark.line, 1, "spaces in front of the text", "a tab")
        } else if start?.text.hasSuffix("an alias") == true || problem.hasSuffix("alias") {
            let start = start?.mark ?? mark
            report(
                start.line, start.column,
                "quotation marks around a text that starts with * (aliases are not read)",
                "\(quoted: word(at: start))")
        } else if let start, start.text.contains("quoted scalar"), problem.contains("end of stream")
        {
            report(
                start.mark.line, start.mark.column, "a closing quotation mark",
                "none up to the end of the file")
        } else {
            let origin = start.map { " \($0.text)" } ?? ""
            // A newline at the end does not start another line.
            let lineCount = max(1, lines.last == "" ? lines.count - 1 : lines.count)
            report(
                min(mark.line, lineCount), mark.column, "valid YAML",
                "a mistake: \(words: problem + origin)")
        }
    }

    private func report(_ line: Int, _ column: Int, _ expected: String, _ found: Phrase) {
        context.report(line: line, column: column, expected: expected, found: found)
    }

    private func isIndentedWithTab(_ line: Int) -> Bool {
        guard lines.indices.contains(line - 1) else { return false }
        return lines[line - 1].prefix { $0 == " " || $0 == "\t" }.contains("\t")
    }

    private func word(at mark: Mark) -> String {
        guard lines.indices.contains(mark.line - 1) else { return "*" }
        let rest = lines[mark.line - 1].unicodeScalars.dropFirst(mark.column - 1)
        return String(Substring(rest.prefix { !" \t,]}".unicodeScalars.contains($0) }))
    }
}
