import NIOSSL

/// What the service shows to clients that ask who it is.
public struct ServerIdentity: Sendable {
    /// How large a file with certificates may be, in bytes.
    private static let limit = 1 << 20

    let configuration: TLSConfiguration

    /// Reads a certificate and its key.
    ///
    /// - Parameters:
    ///   - certificate: A PEM file with the certificate and those between it and its authority.
    ///   - key: A PEM file with the private key, without a passphrase.
    /// - Throws: ``CatalogServerError``.
    public init(certificate: String, key: String) throws(CatalogServerError) {
        let (chain, secret): ([UInt8], [UInt8])
        do {
            chain = try SmallFile.read(certificate, limit: Self.limit)
            secret = try SmallFile.read(key, limit: Self.limit)
        } catch {
            throw .file(error)
        }
        do {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(chain)
                    .map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: secret, format: .pem)))
            configuration.minimumTLSVersion = .tlsv12
            // Finds out whether the two belong together.
            _ = try NIOSSLContext(configuration: configuration)
            self.configuration = configuration
        } catch {
            throw .unusableCertificate(path: certificate, reason: "\(error)")
        }
    }
}
