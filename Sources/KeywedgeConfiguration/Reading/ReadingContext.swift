import WireText

/// What belongs to one file while it is read: its name, its folder, and what was wrong so far.
final class ReadingContext {
    /// The file as the caller named it.
    let file: String
    /// The folder that relative paths in the file start from; empty for the working directory.
    let folder: String
    /// The currency of prices that name none; nil where there is none.
    var currency: String?
    /// Why the file cannot be read; nil where it could be.
    var unreadable: SystemCallError?
    private var problems: [ConfigurationProblem] = []

    init(file: String, folder: String) {
        self.file = file
        self.folder = folder
    }

    /// Notes a problem.
    func report(
        line: Int? = nil, column: Int? = nil, key: String? = nil, expected: String, found: Phrase
    ) {
        problems.append(
            ConfigurationProblem(
                file: file, line: line, column: column, key: key, found: found, expected: expected))
    }

    /// Ends the reading.
    ///
    /// - Throws: All problems in the order of the file, if there are any.
    func finish() throws(ConfigurationError) {
        guard !problems.isEmpty || unreadable != nil else { return }
        let places = problems.enumerated().sorted { left, right in
            (left.element.line ?? 0, left.element.column ?? 0, left.offset)
                < (right.element.line ?? 0, right.element.column ?? 0, right.offset)
        }
        throw ConfigurationError(problems: places.map(\.element), unreadable: unreadable)
    }
}
