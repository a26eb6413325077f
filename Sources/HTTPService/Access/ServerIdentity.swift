package import NIOSSL
package import WireText

/// What the service shows to clients that ask who it is.
package struct ServerIdentity: Sendable {
    /// How large a file with certificates may be, in bytes.
    private static let limit = 1 << 20

    package let configuration: TLSConfiguration

    /// Reads a certificate and its key.
    ///
    /// - Parameters:
    ///   - certificate: A PEM file with the certificate and those between it and its authority.
    ///   - key: A PEM file with the private key, without a passphrase.
    /// - Throws: ``ServerIdentityError``.
    package init(certificate: String, key: String) throws(ServerIdentityError) {
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

/// Why a service has nothing to show for TLS.
package enum ServerIdentityError: Error, Equatable, Sendable {
    /// A certificate or its key cannot be read.
    case file(SystemCallError)
    /// A certificate and a key are no pair that can be used, for the library's reason.
    case unusableCertificate(path: String, reason: String)
}

extension ServerIdentityError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .file(let error): error.sentence
        case .unusableCertificate(let path, let reason):
            "The certificate \(path.quoted(upTo: .max)) and its key cannot be used: "
                + "\(Escaping.sentence.escaped(reason)); expected PEM, the key without a passphrase."
        }
    }
}
