/// Everything that is wrong with a configuration file.
public struct ConfigurationError: Error, Equatable, Sendable {
    /// What is wrong, in the order of the file; never empty.
    public var problems: [ConfigurationProblem]

    /// Makes an error.
    ///
    /// - Parameter problems: What is wrong, in the order of the file.
    public init(problems: [ConfigurationProblem]) {
        self.problems = problems
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// One line for each problem, without a newline at the end.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
