package import NIOSSL
package import WireText

/// A service's TLS certificate and key.
package struct ServerIdentity: Sendable {
    /// The size limit for the certificate file and for the key file, in bytes.
    private static let limit = 1 << 20

    package let configuration: TLSConfiguration
    /// When the certificate expires, in seconds since 1970.
    package let expiry: Int64

    /// Reads two PEM files: the certificate with any intermediate certificates, and the unencrypted key.
    package init(certificate: String, key: String) throws(ServerIdentityError) {
        let (chain, secret): ([UInt8], [UInt8])
        do {
            chain = try SmallFile.read(certificate, limit: Self.limit)
            secret = try SmallFile.read(key, limit: Self.limit)
        } catch {
            throw .file(error)
        }
        do {
            let certificates = try NIOSSLCertificate.fromPEMBytes(chain)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: certificates.map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: secret, format: .pem)))
            configuration.minimumTLSVersion = .tlsv12
            self.configuration = configuration
            expiry = certificates.first.map { Int64($0.notValidAfter) } ?? .max
        } catch {
            throw .unusableCertificate(path: certificate, reason: "\(error)")
        }
        guard (try? NIOSSLContext(configuration: configuration)) != nil else {
            let reason = "the key belongs to another certificate"
            throw .unusableCertificate(path: certificate, reason: reason)
        }
    }
}

package enum ServerIdentityError: Error, Equatable, Sendable {
    case file(SystemCallError)
    /// The certificate and key do not match, or one of them is unusable; `reason` explains the problem.
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
