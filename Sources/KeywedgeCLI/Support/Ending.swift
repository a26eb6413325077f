import ArgumentParser
import Diagnosis
import Events

/// How a command ends early: its message and its exit code.
struct Ending {
    /// The exit codes, as `keywedge --help` lists them.
    enum Code {
        static let failed: Int32 = 1
        static let usage: Int32 = 2
        static let rejected: Int32 = 3
        static let heldBack: Int32 = 4
    }

    private var code: Int32
    private var message: String

    init(_ error: any Error) {
        if case .closed? = error as? OutputError {
            (code, message) = (0, "")
        } else if let error = error as? WrongCommand {
            (code, message) = (Code.usage, error.description)
        } else if !String(reflecting: type(of: error)).hasPrefix("ArgumentParser.") {
            (code, message) = (Code.failed, "\(Failure(error))")
        } else {
            // ArgumentParser threw the error, for a wrong command line or to show help.
            let exit = Keywedge.exitCode(for: error)
            message = Keywedge.fullMessage(for: error)
            // ArgumentParser's EX_USAGE.
            code = exit.rawValue == 64 ? Code.usage : exit.rawValue
            guard !exit.isSuccess else { return }
            // Remove ArgumentParser's own prefix and indentation.
            message = message.trimmingPrefix("Error: ").split(separator: "\n")
                .map { $0.trimmingPrefix("  ") }.joined(separator: "\n")
        }
    }

    /// Prints the message and returns the exit code; only help and version go to standard output.
    func report() -> Int32 {
        guard !message.isEmpty else { return code }
        if code == 0 {
            print(message)
        } else {
            StandardError.write(message)
        }
        return code
    }
}

/// An error whose description is the message that the command prints.
struct Failure: Error, CustomStringConvertible {
    /// One or more lines with one sentence each; quoted texts are escaped.
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Describes an error in a sentence with its remedy; a `Failure` stays as it is.
    init(_ error: any Error) {
        let words = error is CancellationError ? "stopped before the end" : "\(error)"
        self.init(words, error is Failure ? nil : Remedy(for: error))
    }

    /// Makes a failure from a sentence and a remedy, unless the sentence already contains its first command.
    init(_ words: String, _ remedy: Remedy?) {
        let isSaid = remedy?.commands.first.map(words.contains) ?? false
        let separator = words.contains("\n") ? "\n" : words.hasSuffix(".") ? " " : ". "
        self.init(words + (isSaid ? "" : remedy.map { separator + $0.sentence } ?? ""))
    }

    /// Converts an error into a failure, except a cancellation and the error for a closed standard output.
    static func unlessCancelled(_ error: any Error) -> any Error {
        if error is CancellationError { return error }
        if case .closed? = error as? OutputError { return error }
        return Failure(error)
    }
}

func orFail<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch {
        throw Failure.unlessCancelled(error)
    }
}
