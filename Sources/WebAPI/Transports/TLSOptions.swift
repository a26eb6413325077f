import NIOSSL

/// A client's TLS options, such as the servers to trust and the certificate to present.
///
/// A server's certificate chain, dates and host name are always verified; no option turns this off.
public struct TLSOptions: Sendable {
    /// The certificate authorities to trust.
    public enum Trust: Sendable {
        case system
        /// Only the authorities in these PEM files.
        case only([[UInt8]])
        /// The system's authorities, and those in these PEM files.
        case systemAnd([[UInt8]])
    }

    /// A TLS version that a client can require as the minimum.
    public enum Version: String, CaseIterable, Sendable {
        /// TLS 1.2 (RFC 5246).
        case tls12 = "1.2"
        /// TLS 1.3 (RFC 8446).
        case tls13 = "1.3"
    }

    /// A client's certificate and its private key.
    public struct ClientCertificate: Sendable, Redacted {
        /// The certificate and any intermediate certificates, as PEM.
        public let chain: [UInt8]
        /// The private key, as PEM without a passphrase.
        public let key: [UInt8]

        /// Creates a client certificate; the PEM text is checked later, when a transport uses it.
        public init(chain: [UInt8], key: [UInt8]) {
            self.chain = chain
            self.key = key
        }

        /// Fixed text that does not reveal the key.
        public var description: String { "a client certificate" }
    }

    /// The certificate authorities to trust; by default, those of the system.
    public var trust: Trust
    /// The certificate to present to servers that request one; nil to present none.
    public var clientCertificate: ClientCertificate?
    /// The oldest accepted TLS version; RFC 8996 forbids versions before 1.2.
    public var minimumVersion: Version
    /// The accepted server keys; empty to accept any key.
    ///
    /// Pinning does not replace the verification of the server's certificate.
    public var pinnedKeys: Set<PinnedKey>

    /// Creates TLS options; the parameters set the properties of the same names.
    public init(
        trust: Trust = .system, clientCertificate: ClientCertificate? = nil,
        minimumVersion: Version = .tls12, pinnedKeys: Set<PinnedKey> = []
    ) {
        self.trust = trust
        self.clientCertificate = clientCertificate
        self.minimumVersion = minimumVersion
        self.pinnedKeys = pinnedKeys
    }
}

/// Why TLS options cannot be used.
public enum TLSOptionsError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file of trusted authorities at this 0-based index contains no PEM certificate.
    case authorities(index: Int)
    /// The client certificate's file contains no PEM certificate.
    case clientCertificate
    /// The client's key file contains no PEM private key, or the key has a passphrase.
    case clientKey
    /// TLS rejected the client's certificate and key; the text is the reason.
    case refused(String)

    /// Why the options cannot be used, as a message without a full stop.
    public var description: String {
        switch self {
        case .authorities(let index):
            "file \(index + 1) of the trusted authorities has no certificate; expected PEM, that is "
                + Self.lines(of: "CERTIFICATE")
        case .clientCertificate:
            "the client certificate's file has no certificate; expected PEM, that is "
                + Self.lines(of: "CERTIFICATE")
        case .clientKey:
            "the client certificate's key file has no private key; expected PEM without passphrase, "
                + "that is " + Self.lines(of: "PRIVATE KEY")
        case .refused(let reason): "TLS cannot be set up: \(reason)"
        }
    }

    private static func lines(of content: String) -> String {
        "lines between -----BEGIN \(content)----- and -----END \(content)-----"
    }
}

extension TLSOptions {
    /// Converts the options to NIOSSL's type; throws if a certificate or key cannot be used.
    func configuration() throws(TLSOptionsError) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = minimumVersion == .tls13 ? .tlsv13 : .tlsv12
        switch trust {
        case .system: break
        case .only(let files):
            configuration.trustRoots = .certificates(try Self.authorities(files))
        case .systemAnd(let files):
            configuration.additionalTrustRoots = [.certificates(try Self.authorities(files))]
        }
        guard let clientCertificate else { return configuration }
        guard let chain = Self.certificates(clientCertificate.chain) else {
            throw .clientCertificate
        }
        guard let key = try? NIOSSLPrivateKey(bytes: clientCertificate.key, format: .pem) else {
            throw .clientKey
        }
        configuration.certificateChain = chain.map { .certificate($0) }
        configuration.privateKey = .privateKey(key)
        // Only making a context shows whether the certificate and key match.
        do {
            _ = try NIOSSLContext(configuration: configuration.withoutAuthorities)
        } catch {
            throw .refused(FailureReading(error).text)
        }
        return configuration
    }

    private static func authorities(
        _ files: [[UInt8]]
    ) throws(TLSOptionsError) -> [NIOSSLCertificate] {
        var all: [NIOSSLCertificate] = []
        for (index, file) in files.enumerated() {
            guard let some = certificates(file) else { throw .authorities(index: index) }
            all += some
        }
        return all
    }

    /// Returns the certificates in a PEM file; nil if it contains none.
    private static func certificates(_ file: [UInt8]) -> [NIOSSLCertificate]? {
        (try? NIOSSLCertificate.fromPEMBytes(file)).flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension TLSConfiguration {
    /// A copy that trusts no authorities, to avoid reading the system's long list of them.
    var withoutAuthorities: TLSConfiguration {
        var configuration = self
        configuration.trustRoots = .certificates([])
        configuration.additionalTrustRoots = []
        return configuration
    }
}
