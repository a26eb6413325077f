import Glibc
package import WireText

package enum ListenError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Other computers could read the data named in `reading` at this address; the settings in `expected` prevent that.
    case openToOthers(ListenAddress, reading: String, expected: String)
    /// Another program is already listening on this address or path.
    case inUse(String)
    /// The file at the socket's path is not a socket.
    case notASocket(String)
    /// The path is longer than the system allows for a socket.
    case pathTooLong(String)
    /// A system call failed.
    case system(SystemCallError)
    /// The host's name has no address, for the given reason.
    case unknownHost(ListenAddress, reason: String)
    /// The service manager passed this number of sockets instead of one listening unix socket.
    case unusableHandover(Int)

    package var description: String {
        switch self {
        case .openToOthers(let address, let content, let settings):
            "Others could read \(content) at \(address); expected \(settings), or a loopback address "
                + "such as 127.0.0.1:\(address.port)."
        case .inUse(let place):
            "Cannot listen at \(place): another program does; expected a free address."
        case .notASocket(let path):
            "Cannot listen at \(path.quoted(upTo: .max)): something else is there; expected nothing, or a "
                + "socket that an earlier daemon left behind."
        case .pathTooLong(let path):
            "Cannot listen at \(path.quoted(upTo: .max)): expected a path of at most 107 bytes, got "
                + "\(path.utf8.count)."
        case .system(let error) where error.operation == "bind" && error.errno == ENOENT:
            "\(error.sentence) Its folder is missing: mkdir -p \(error.folder)"
        case .system(let error): error.sentence
        case .unknownHost(let address, let reason):
            "Cannot listen at \(address): \(reason); expected an address of this box."
        case .unusableHandover(let count):
            "The service manager handed over \(count.counted("socket")); expected one unix socket, "
                + "as keywedge.socket has it."
        }
    }
}

extension SystemCallError {
    /// The folder that contains the path, in quotation marks.
    fileprivate var folder: String {
        let path = path ?? ""
        return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]).quoted(upTo: .max)
    }
}
