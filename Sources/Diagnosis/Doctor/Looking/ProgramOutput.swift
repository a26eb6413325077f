import Sinks

/// Runs a program of the system and reads its output.
package protocol ProgramRunner: Sendable {
    /// Runs a program, the first of `words`, with the others as its arguments.
    ///
    /// Returns nil if there is no such program, or if it does not end.
    func run(_ words: [String]) async -> ProgramOutput?
}

/// What a program wrote, and how it ended.
package struct ProgramOutput: Equatable, Sendable {
    /// Its exit code; 128 and the signal's number if a signal ended it.
    package var code: Int32
    /// What it wrote to standard output.
    package var text: String

    package init(code: Int32 = 0, text: String = "") {
        self.code = code
        self.text = text
    }
}

/// Runs programs of this box, each for `limit` at most; nobody reads their standard error.
package struct SystemPrograms: ProgramRunner {
    private let limit: Duration

    package init(limit: Duration = .seconds(10)) {
        self.limit = limit
    }

    package func run(_ words: [String]) async -> ProgramOutput? {
        let run = try? await RunningCommand.run(words, readsErrors: false, limit: limit)
        guard let run else { return nil }
        let text = String(decoding: run.output, as: UTF8.self)
        return switch run.ending {
        case .exited(let code): ProgramOutput(code: code, text: text)
        case .signalled(let number): ProgramOutput(code: 128 + number, text: text)
        case .overtime: nil
        }
    }
}
