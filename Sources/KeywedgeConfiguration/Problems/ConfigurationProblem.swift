package import WireText

/// A mistake in a configuration file, and its position.
package struct ConfigurationProblem: Equatable, Sendable, CustomStringConvertible {
    /// The name of the file, as the caller passed it.
    package var file: String
    /// The line, counted from 1; nil if the problem concerns the entire file.
    package var line: Int?
    /// The column, counted from 1 in Unicode scalars; nil if the problem concerns the entire line or file.
    package var column: Int?
    /// The key's path, such as `scanners[0].idle_timeout`; nil for a problem of the entire file.
    package var key: String?
    /// The value in the file, or a description of it.
    package var found: Phrase
    package var expected: String

    package var json: JSONObject {
        [
            "file": .string(file), "line": line.map { .integer(Int64($0)) } ?? .null,
            "column": column.map { .integer(Int64($0)) } ?? .null,
            "key": key.map(JSONValue.string) ?? .null, "expected": .string(expected),
            "found": .string("\(found)"),
        ]
    }

    /// The problem as one escaped line: its place, the expected value and the value found.
    package var description: String {
        let place = Escaping.line.escaped(file) + (line.map { ":\($0)" } ?? "")
        let subject = key.map { "\($0): " } ?? ""
        return "\(place): \(subject)expected \(expected), found \(found)"
    }
}

/// All mistakes in a configuration file, or the reason why the file cannot be read.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The mistakes, ordered by their position in the file; empty only if the file cannot be read.
    package var problems: [ConfigurationProblem]

    /// The error that occurred while reading the file; nil if the file was read.
    package var unreadable: SystemCallError?

    package var description: String {
        unreadable?.description ?? problems.map(\.description).joined(separator: "\n")
    }
}
