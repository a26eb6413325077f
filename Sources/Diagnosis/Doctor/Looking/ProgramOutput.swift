import Sinks
import Synchronization

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
    /// How much of a program's output is kept, in bytes.
    private static let longest = 1 << 20

    package init(limit: Duration = .seconds(10)) {
        self.limit = limit
    }

    package func run(_ words: [String]) async -> ProgramOutput? {
        let output = Mutex<[UInt8]>([])
        let ending = try? await RunningCommand.run(
            words, readsErrors: false, limit: limit
        ) { bytes in
            output.withLock { if $0.count < Self.longest { $0 += bytes } }
        }
        let text = String(decoding: output.withLock { $0 }, as: UTF8.self)
        return switch ending {
        case .exited(let code): ProgramOutput(code: code, text: text)
        case .signalled(let number): ProgramOutput(code: 128 + number, text: text)
        case .overtime, nil: nil
        }
    }
}
