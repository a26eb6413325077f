/// Everything that is wrong with a configuration file.
package struct ConfigurationError: Error, Equatable, Sendable {
    /// What is wrong, in the order of the file; never empty.
    package var problems: [ConfigurationProblem]

    /// Makes an error.
    ///
    /// - Parameter problems: What is wrong, in the order of the file.
    package init(problems: [ConfigurationProblem]) {
        self.problems = problems
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// One line for each problem, without a newline at the end.
    package var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
