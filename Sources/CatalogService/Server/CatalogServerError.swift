import Glibc
package import HTTPService
import NIOCore
import WireText

/// Why the service did not start.
package enum CatalogServerError: Error, Equatable, Sendable {
    /// Others could reach it, and it has no token to tell who may ask.
    case openToOthers(ListenAddress)
    /// Somebody else listens there.
    case inUse(ListenAddress)
    /// The system does not let it listen there, for its reason.
    case cannotListen(ListenAddress, reason: String)
}

extension CatalogServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .openToOthers(let address):
            "Others could read the catalog at \(address); expected a token (--token-file), "
                + "or a loopback address, such as 127.0.0.1:\(address.port)."
        case .inUse(let address):
            "Cannot listen at \(address): another program does; expected a free port."
        case .cannotListen(let address, let reason): "Cannot listen at \(address): \(reason)."
        }
    }
}

extension CatalogServer {
    /// The error number of a port that is taken.
    static var addressInUse: CInt { EADDRINUSE }

    /// The system's words for an error.
    static func reason(_ error: IOError) -> String {
        SystemCallError(operation: "listen", errno: error.errnoCode).text
    }
}
