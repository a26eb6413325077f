import Glibc
package import WireText

package enum ListenError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Other computers could connect to this address and read data.
    ///
    /// `reading` names the data, and `expected` names the settings that would prevent this.
    case openToOthers(ListenAddress, reading: String, expected: String)
    /// Another program is already listening on this address or path.
    case inUse(String)
    case notASocket(String)
    case pathTooLong(String)
    case system(SystemCallError)
    case unknownHost(ListenAddress, reason: String)
    /// The service manager passed this many listening sockets; it must pass exactly one unix socket.
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
    /// The quoted path of the folder that contains the socket.
    fileprivate var folder: String {
        let path = path ?? ""
        return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]).quoted(upTo: .max)
    }
}
