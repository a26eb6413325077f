import Glibc

/// Where everything goes that is no result.
enum StandardError {
    /// Whether a person is likely to read it.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes a line; what cannot be written is lost, since there is nobody left to tell.
    ///
    /// - Parameter line: Without the newline; escaped where it quotes.
    static func write(_ line: String) {
        raw(line + "\n")
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
