import NIOCore
import WireText

#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

extension CatalogServer {
    /// The error number of a port that is taken.
    static var addressInUse: CInt { EADDRINUSE }

    /// The system's words for an error.
    static func reason(_ error: IOError) -> String {
        SystemCallError(operation: "listen", errno: error.errnoCode).text
    }
}
