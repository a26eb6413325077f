package import HTTPService
package import WireText

/// Why the daemon's interface is not there.
package enum EventServerError: Error, Equatable, Sendable {
    /// Others could reach it, and it has no token and no certificate.
    case openToOthers(ListenAddress)
    /// Somebody else listens there.
    case inUse(String)
    /// What is at the path of the socket is something else.
    case notASocket(String)
    /// No socket can have such a path.
    case pathTooLong(String)
    /// The system does not let it listen.
    case system(SystemCallError)
    /// What the service manager handed over is no unix socket that listens.
    case unusableHandover(Int)
}

extension EventServerError: CustomStringConvertible {
    /// One sentence.
    package var description: String {
        switch self {
        case .openToOthers(let address):
            "Others could read events at \(address); expected listen.token_file, "
                + "listen.certificate_file and listen.key_file, or a loopback address such as "
                + "127.0.0.1:\(address.port)."
        case .inUse(let place):
            "Cannot listen at \(place): another program does; expected a place that is free."
        case .notASocket(let path):
            "Cannot listen at \(path.quoted(upTo: .max)): something else is there; expected nothing, or a "
                + "socket that was left behind."
        case .pathTooLong(let path):
            "Cannot listen at \(path.quoted(upTo: .max)): expected a path of at most 107 bytes, got "
                + "\(path.utf8.count)."
        case .system(let error): error.sentence
        case .unusableHandover(let count):
            "The service manager handed over \(count.counted("socket")); expected one unix socket, "
                + "as keywedge.socket has it."
        }
    }
}
