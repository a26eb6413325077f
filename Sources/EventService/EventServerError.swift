package import HTTPService
package import WireText

/// Why the daemon's interface cannot listen.
package enum EventServerError: Error, Equatable, Sendable {
    /// Others could reach it, and it has no token or no certificate.
    case openToOthers(ListenAddress)
    /// Another program listens there.
    case inUse(String)
    /// The path of the socket leads to a file of another kind.
    case notASocket(String)
    /// The path is longer than a socket's may be.
    case pathTooLong(String)
    /// The system refuses a call.
    case system(SystemCallError)
    /// The host's name leads to no address, for the resolver's reason.
    case unknownHost(ListenAddress, reason: String)
    /// The service manager handed over so many sockets, and not one unix socket that listens.
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
                + "socket that an earlier daemon left behind."
        case .pathTooLong(let path):
            "Cannot listen at \(path.quoted(upTo: .max)): expected a path of at most 107 bytes, got "
                + "\(path.utf8.count)."
        case .system(let error): error.sentence
        case .unknownHost(let address, let reason):
            "Cannot listen at \(address): \(reason); expected an address of this box."
        case .unusableHandover(let count):
            "The service manager handed over \(count.counted("socket")); expected one unix socket, "
                + "as keywedge.socket has it."
        }
    }
}
