package import WireText

/// Everything that is wrong with a configuration file.
package struct ConfigurationError: Error, Equatable, Sendable {
    /// What is wrong, in the order of the file; empty only where the file cannot be read.
    package var problems: [ConfigurationProblem]

    /// Why the file cannot be read; nil where it could be.
    package var unreadable: SystemCallError?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - problems: What is wrong, in the order of the file.
    ///   - unreadable: Why the file cannot be read; nil where it could be.
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
