public import WireText

/// Why a file has no token.
public enum TokenError: Error, Equatable, Sendable {
    /// The file cannot be read.
    case unreadable(SystemCallError)
    /// What is in the file is no token, or one too short.
    case unfit(path: String, isShort: Bool)
}

extension TokenError: CustomStringConvertible {
    /// One sentence; it never quotes the token.
    public var description: String {
        switch self {
        case .unreadable(let error): error.sentence
        case .unfit(let path, let isShort):
            "The token in \(path.quoted(upTo: .max)) "
                + (isShort
                    ? "is too short; expected at least \(BearerToken.shortest) characters, such as "
                        + "\"head -c 24 /dev/urandom | base64\" makes."
                    : "is none; expected one line of letters, digits and any of -._~+/=.")
        }
    }
}
