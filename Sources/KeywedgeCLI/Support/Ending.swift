import ArgumentParser
import Events

/// How a command ended early: what to print, where, and with which exit code.
struct Ending {
    /// The exit codes of `keywedge`.
    enum Code {
        static let failed: Int32 = 1
        static let usage: Int32 = 2
        static let rejected: Int32 = 3
        static let heldBack: Int32 = 4
    }

    private let code: Int32
    private let message: String

    /// Decides how `error` ends the command.
    init(_ error: any Error) {
        if let error = error as? OutputError, case .closed = error {
            self.init(code: 0, message: "")
        } else if let error = error as? Interrupted {
            self.init(code: 128 + error.signal, message: "")
        } else if let error = error as? Failure {
            self.init(code: Code.failed, message: error.message)
        } else if !Self.isOfTheCommandLine(error) {
            self.init(code: Code.failed, message: Failure(error).message)
        } else {
            let code = Keywedge.exitCode(for: error)
            // ArgumentParser's EX_USAGE.
            self.init(
                code: code.rawValue == 64 ? Code.usage : code.rawValue,
                message: Keywedge.fullMessage(for: error))
        }
    }

    private init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    /// Prints the message where it belongs: help and version are results, all else is not.
    ///
    /// - Returns: The exit code.
    func report() -> Int32 {
        guard !message.isEmpty else { return code }
        if code == 0 {
            print(message)
        } else {
            StandardError.write(message)
        }
        return code
    }

    /// Whether the error says how the command line was wrong, or asks for help.
    private static func isOfTheCommandLine(_ error: any Error) -> Bool {
        String(reflecting: type(of: error)).hasPrefix("ArgumentParser.")
    }
}

/// A command failed, and this is what a person should read.
struct Failure: Error, CustomStringConvertible {
    /// One sentence, or several lines of one each; escaped where it quotes.
    let description: String
    /// The same as a line of standard error.
    var message: String { "keywedge: " + description }

    init(_ description: String) {
        self.description = description
    }

    /// Takes the sentence of an error.
    init(_ error: any Error) {
        self.init(String(describing: error))
    }
}
