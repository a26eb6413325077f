package import WireText

/// Why a secret cannot be used.
package enum SecretError: Error, Equatable, Sendable {
    /// The file cannot be read.
    case unreadable(SystemCallError)
    /// There are no credentials of a service manager.
    case noCredentials(name: String)
    /// There is nothing in the file.
    case empty(place: String)
    /// The file is longer than any secret.
    case tooLong(place: String, limit: Int)
    /// The file holds what cannot stand in a header field: a second line, or no ASCII.
    case unfit(place: String)
}

extension SecretError: CustomStringConvertible {
    /// The error as one sentence; it never quotes the secret.
    package var description: String {
        switch self {
        case .unreadable(let error):
            "The secret in \((error.path ?? "").quoted()) cannot be read: \(error.text)."
        case .noCredentials(let name):
            "The credential \(name.quoted()) cannot be read: the service manager has given none; "
                + "expected LoadCredential=\(name) in the unit."
        case .empty(let place): "The secret in \(place.quoted()) is empty; expected one line."
        case .tooLong(let place, let limit):
            "The secret in \(place.quoted()) is too long; expected at most \(limit) bytes."
        case .unfit(let place):
            "The secret in \(place.quoted()) cannot be sent; expected one line of ASCII characters."
        }
    }
}
