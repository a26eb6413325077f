package import WebAPI
import WireText

extension CatalogFollower {
    /// How large a file with authorities may be, in bytes: the system's own is a quarter of that.
    private static let authoritiesSize = 1 << 20

    /// Makes what carries a follower's requests.
    ///
    /// - Parameter path: A PEM file with the authorities that are trusted, and no others; nil for
    ///   those of the system.
    /// - Returns: The transport.
    /// - Throws: ``SyncError/file(_:)``, `TLSOptionsError`.
    package static func transport(authorities path: String?) throws -> AsyncHTTPClientTransport {
        var tls = TLSOptions()
        if let path {
            do {
                tls.trust = .only([try SmallFile.read(path, limit: authoritiesSize)])
            } catch {
                throw SyncError.file(error)
            }
        }
        return try AsyncHTTPClientTransport(
            tls: tls, limits: TransportLimits(responseBytes: 64 << 20))
    }
}
