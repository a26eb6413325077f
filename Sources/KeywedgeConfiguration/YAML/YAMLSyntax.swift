import WireText
import Yams

/// Says what is wrong with a text that is no YAML.
enum YAMLSyntax {
    /// Looks for characters that YAML forbids, for libyaml does not say on which line they are.
    ///
    /// - Returns: Whether there is none; the first is reported.
    ///
    /// Rule: YAML 1.1, section 5.1, production `c-printable`.
    static func checkCharacters(of text: String, _ context: ReadingContext) -> Bool {
        var line = 1
        var column = 1
        for scalar in text.unicodeScalars {
            guard isPrintable(scalar) else {
                let code = String(scalar.value, radix: 16, uppercase: true)
                let padding = String(repeating: "0", count: max(0, 4 - code.count))
                context.report(
                    line: line, column: column,
                    expected:
                        "text without control characters (in quotation marks, "
                        + "\(String(scalar).quoted()))",
                    found: "the character U+\(padding)\(code)")
                return false
            }
            (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
        }
        return true
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x85, 0xA0...0xD7FF, 0x1_0000...0x10_FFFF: true
        case 0xE000...0xFFFD: scalar != "\u{FEFF}"
        default: false
        }
    }

    /// Reports what Yams says.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - text: The document it read.
    ///   - context: Where the problem goes.
    static func report(_ error: any Error, in text: YAMLPlaceholders, _ context: ReadingContext) {
        switch error {
        case YamlError.scanner(let start, let problem, let mark, _),
            YamlError.parser(let start, let problem, let mark, _),
            YamlError.composer(let start, let problem, let mark, _):
            report(problem, at: mark, in: start, of: text, context)
        case YamlError.duplicatedKeysInMapping(let keys, let place):
            let name: Phrase =
                keys.first.map { "\(quoted: text.restored($0))" } ?? "one"
            context.report(
                line: place.mark.line, column: place.mark.column, expected: "each key once",
                found: "the key \(name) again further down")
        default:
            context.report(
                expected: "valid YAML", found: "\(quoted: String(describing: error))")
        }
    }

    private static func report(
        _ problem: String, at mark: Mark, in start: YamlError.Context?, of text: YAMLPlaceholders,
        _ context: ReadingContext
    ) {
        if problem == "but found another document" {
            context.report(
                line: mark.line, column: mark.column, expected: "one YAML document",
                found: "a second one")
        } else if text.isIndentedWithTab(line: mark.line) {
            context.report(
                line: mark.line, column: 1, expected: "spaces in front of the text",
                found: "a tab")
        } else if let start, start.text.contains("quoted scalar"), problem.contains("end of stream")
        {
            context.report(
                line: start.mark.line, column: start.mark.column,
                expected: "a closing quotation mark",
                found: "none up to the end of the file")
        } else {
            let origin = start.map { " \($0.text)" } ?? ""
            context.report(
                line: min(mark.line, text.lineCount), column: mark.column, expected: "valid YAML",
                found: "a mistake: \(text.restored(problem))\(words: origin)")
        }
    }
}
