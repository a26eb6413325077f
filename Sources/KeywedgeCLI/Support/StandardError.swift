import Glibc
import WireText

/// Where everything goes that is no result.
enum StandardError {
    /// Whether a person is likely to read it.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes a sentence, or several lines of them; what cannot be written is lost, since there is
    /// nobody left to tell.
    ///
    /// - Parameter text: Without the last newline. What it quotes is escaped already; whatever else
    ///   would act on a terminal is escaped here.
    static func write(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        raw(lines.map { Escaping.sentence.escaped(String($0)) + "\n" }.joined())
    }

    /// Writes text as it is.
    ///
    /// - Parameter text: The text.
    static func raw(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes {
                Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
            }
            guard written > 0 else {
                if errno == EINTR { continue }
                return
            }
            bytes = bytes.dropFirst(written)
        }
    }
}
