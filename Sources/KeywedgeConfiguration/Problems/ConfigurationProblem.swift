package import WireText

/// One thing that is wrong with a configuration file, and where.
package struct ConfigurationProblem: Equatable, Sendable {
    /// The file as the caller named it.
    package var file: String
    /// The line, from 1; nil where the file as a whole is meant.
    package var line: Int?
    /// The column in Unicode scalars, from 1; nil where the line or the file as a whole is meant.
    package var column: Int?
    /// The key as a dotted path, for instance `scanners[0].idle_timeout`; nil at the top.
    package var key: String?
    /// What stands there.
    package var found: Phrase
    /// What should stand there.
    package var expected: String

    package init(
        file: String, line: Int? = nil, column: Int? = nil, key: String? = nil, found: Phrase,
        expected: String
    ) {
        self.file = file
        self.line = line
        self.column = column
        self.key = key
        self.found = found
        self.expected = expected
    }
}

extension ConfigurationProblem: CustomStringConvertible {
    /// The problem as one line that is safe to print on a terminal.
    ///
    /// For instance `keywedge.yaml:7: scanners[0].aim: expected true or false, found "maybe"`.
    package var description: String {
        let place = Escaping.line.escaped(file) + (line.map { ":\($0)" } ?? "")
        let subject = key.map { "\($0): " } ?? ""
        return "\(place): \(subject)expected \(expected), found \(found)"
    }
}

/// Everything that is wrong with a configuration file.
package struct ConfigurationError: Error, Equatable, Sendable {
    /// What is wrong, in the order of the file; empty only where the file cannot be read.
    package var problems: [ConfigurationProblem]

    /// Why the file cannot be read; nil where it could be.
    package var unreadable: SystemCallError?

    package init(problems: [ConfigurationProblem], unreadable: SystemCallError? = nil) {
        self.problems = problems
        self.unreadable = unreadable
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// One line for each problem, without a newline at the end.
    package var description: String {
        unreadable?.description ?? problems.map(\.description).joined(separator: "\n")
    }
}
