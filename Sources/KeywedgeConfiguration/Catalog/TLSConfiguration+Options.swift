import Glibc
package import WebAPI
import WireText

extension TLSConfiguration {
    /// The largest file with certificates that is read, in bytes; the system's own has some 200,000.
    private static let longest = 4 << 20

    /// Reads the files.
    ///
    /// - Parameter catalog: The catalog's name.
    /// - Returns: How connections are secured.
    /// - Throws: ``CatalogOpeningError``.
    package func options(for catalog: String) throws(CatalogOpeningError) -> TLSOptions {
        var options = TLSOptions(pinnedKeys: Set(pinnedKeys))
        if minimum == .tls13 { options.minimumVersion = .tls13 }
        if let authorityFile {
            let authority = try Self.bytes(authorityFile, catalog)
            options.trust = trustsOnlyThese ? .only([authority]) : .systemAnd([authority])
        }
        if let certificateFile, let keyFile {
            options.clientCertificate = TLSOptions.ClientCertificate(
                chain: try Self.bytes(certificateFile, catalog),
                key: try Self.bytes(keyFile, catalog))
        }
        return options
    }

    private static func bytes(
        _ path: String, _ catalog: String
    ) throws(CatalogOpeningError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, catalog) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= longest {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path, catalog) }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
        throw CatalogOpeningError(
            catalog: catalog,
            reason: "\(path.quoted()) is longer than \(longest) bytes")
    }

    private static func unreadable(_ path: String, _ catalog: String) -> CatalogOpeningError {
        CatalogOpeningError(
            catalog: catalog,
            reason: "\(path.quoted()) cannot be read: "
                + SystemCallError(operation: "read", path: path, errno: errno).text)
    }
}
