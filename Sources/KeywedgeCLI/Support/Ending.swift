import ArgumentParser
import Diagnosis
import Events

/// The message and the exit code with which a command ends after an error.
struct Ending {
    /// The exit codes for errors, as listed by `keywedge --help`.
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
            // The error is from ArgumentParser: a wrong command line, a request for help, or an `ExitCode`.
            let exit = Keywedge.exitCode(for: error)
            message = Keywedge.fullMessage(for: error)
            // ArgumentParser ends with EX_USAGE (64) after a wrong command line.
            code = exit.rawValue == 64 ? Code.usage : exit.rawValue
            guard !exit.isSuccess else { return }
            // Remove ArgumentParser's own prefix and indentation.
            message = message.trimmingPrefix("Error: ").split(separator: "\n")
                .map { $0.trimmingPrefix("  ") }.joined(separator: "\n")
        }
    }

    /// Prints the message and returns the exit code; only the help and the version go to standard output.
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

/// An error whose description is the message to print.
struct Failure: Error, CustomStringConvertible {
    /// The message: one sentence per line, with quoted text already escaped.
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Creates a failure from an error and its remedy, if it has one; a `Failure` is copied unchanged.
    init(_ error: any Error) {
        let words = error is CancellationError ? "stopped before the end" : "\(error)"
        self.init(words, error is Failure ? nil : Remedy(for: error))
    }

    /// Creates a failure from a sentence and a remedy.
    init(_ words: String, _ remedy: Remedy?) {
        let isSaid = remedy?.commands.first.map(words.contains) ?? false
        let separator = words.contains("\n") ? "\n" : words.hasSuffix(".") ? " " : ". "
        self.init(words + (isSaid ? "" : remedy.map { separator + $0.sentence } ?? ""))
    }

    /// Returns an error as a ``Failure``, unless it is a cancellation or a closed output.
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
