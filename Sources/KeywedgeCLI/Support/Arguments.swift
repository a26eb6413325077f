public import ArgumentParser
public import Barcodes
package import Catalog
package import Events
import Glibc
import KeywedgeConfiguration
import WireText

// These conformances make types from other modules usable as arguments.

extension EventFormat: ExpressibleByArgument {}
extension DecimalMark: ExpressibleByArgument {}
extension MovedCodes: ExpressibleByArgument {}
extension BarcodeDecoder.Settings.Content: ExpressibleByArgument {}
extension BarcodeDecoder.Settings.UPCE: ExpressibleByArgument {}

extension CommandConfiguration {
    /// Creates the configuration of a command whose help ends with examples.
    init(
        commandName: String? = nil, abstract: String, discussion: String? = nil,
        examples: String..., subcommands: [any ParsableCommand.Type] = []
    ) {
        let list = (["Example:"] + examples.map { "  \($0)" }).joined(separator: "\n")
        self.init(
            commandName: commandName, abstract: abstract,
            discussion: [discussion, list].compactMap(\.self).joined(separator: "\n\n"),
            subcommands: subcommands)
    }
}

extension Option<String?> {
    /// Creates an option whose value is the path of a file.
    init(name: NameSpecification = .long, file help: String) {
        self.init(name: name, help: ArgumentHelp(help, valueName: "file"), completion: .file())
    }
}

/// Throws an error about the command line with the message `mistake`, unless `condition` is true.
func require(_ condition: Bool, _ mistake: String) throws {
    if !condition { throw ValidationError(mistake) }
}

/// Makes a parser for an option's value; `form` describes valid values.
///
/// If `read` returns nil, the parser throws an error with the message `expected FORM`.
func parser<Value>(
    expecting form: String, _ read: @escaping @Sendable (String) -> Value?
) -> @Sendable (String) throws -> Value {
    { text in
        guard let value = read(text) else { throw ValidationError("expected \(form)") }
        return value
    }
}

/// Makes a parser for a duration within a range, such as `500ms`.
func durations(_ range: ClosedRange<Duration>) -> @Sendable (String) throws -> Duration {
    let form = "a number with a unit, as 500ms, 30s, 5min, 2h or 1d"
    return parser(expecting: "\(form), from \(range.lowerBound.text) to \(range.upperBound.text)") {
        DurationText.duration($0).flatMap { range.contains($0) ? $0 : nil }
    }
}

func numbers(_ range: ClosedRange<Int>) -> @Sendable (String) throws -> Int {
    let (low, high) = (range.lowerBound, range.upperBound)
    return parser(expecting: "a whole number from \(low) to \(high), as \(low)") {
        Int($0).flatMap { range.contains($0) ? $0 : nil }
    }
}

extension EventTime {
    static let reading = parser(
        expecting: "a time with its offset, as 2026-12-01T08:00:00+01:00"
    ) { EventTime(rfc3339: $0) }
}

extension CatalogScope {
    static let reading = parser(expecting: rule) { CatalogScope($0) }
}

func environmentVariable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// Returns `text` with backslash escapes replaced; throws an error if one is invalid.
func unescaped(_ text: String) throws(Failure) -> String {
    if let meaning = Escaping.unescaped(text) { return meaning }
    throw Failure(
        "cannot read \(text.quoted(upTo: .max)): expected a backslash to begin one of "
            + Escaping.forms)
}
