import NIOSSL
import Synchronization

/// How servers prove who they are, and we to them.
///
/// Certificates are always verified: chain, dates and host. There is no way to turn that off.
public struct TLSOptions: Sendable {
    /// Which authorities are trusted.
    public enum Trust: Sendable {
        /// Those of the system.
        case system
        /// Those in these PEM files, and no others.
        case only([[UInt8]])
        /// Those of the system and those in these PEM files.
        case systemAnd([[UInt8]])
    }

    /// A TLS version.
    public enum Version: Sendable {
        /// TLS 1.2. Rule: RFC 5246.
        case tls12
        /// TLS 1.3. Rule: RFC 8446.
        case tls13
    }

    /// A certificate of ours, with its key.
    public struct ClientCertificate: Sendable, Redacted {
        /// The certificate and those between it and its authority, as PEM.
        public let chain: [UInt8]
        /// The private key, as PEM without passphrase.
        public let key: [UInt8]

        /// Takes a certificate and its key.
        public init(chain: [UInt8], key: [UInt8]) {
            self.chain = chain
            self.key = key
        }

        /// That there is one; never the key.
        public var description: String { "a client certificate" }
    }

    /// Which authorities are trusted.
    public var trust: Trust
    /// What we show to servers that ask who we are.
    public var clientCertificate: ClientCertificate?
    /// The oldest version that is accepted; RFC 8996 forbids those before 1.2.
    public var minimumVersion: Version
    /// Keys of which the server must have one, besides a certificate that is verified; empty for
    /// any key.
    public var pinnedKeys: Set<PinnedKey>

    /// Makes options.
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

/// Why TLS cannot be set up as wanted.
public enum TLSOptionsError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What should hold trusted authorities is no PEM file with certificates; its place among them.
    case authorities(index: Int)
    /// The client certificate is no PEM file with certificates.
    case clientCertificate
    /// The client certificate's key is no PEM file with a private key.
    case clientKey
    /// Key and certificate do not belong together, or are refused otherwise, for this reason.
    case refused(String)

    /// One sentence without its full stop.
    public var description: String {
        switch self {
        case .authorities(let index):
            "file \(index + 1) of the trusted authorities has no certificate; expected PEM, that is "
                + "lines between -----BEGIN CERTIFICATE----- and -----END CERTIFICATE-----"
        case .clientCertificate:
            "the client certificate's file has no certificate; expected PEM, that is lines between "
                + "-----BEGIN CERTIFICATE----- and -----END CERTIFICATE-----"
        case .clientKey:
            "the client certificate's key file has no private key; expected PEM without passphrase, "
                + "that is lines between -----BEGIN PRIVATE KEY----- and -----END PRIVATE KEY-----"
        case .refused(let reason): "TLS cannot be set up: \(reason)"
        }
    }
}

extension TLSOptions {
    /// The options as NIOSSL has them; verification is always full.
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
        try Self.check(configuration)
        return configuration
    }

    /// Tries whether certificate and key belong together, which shows only in use.
    ///
    /// It leaves the authorities out, for reading those of the system takes long.
    private static func check(_ configuration: TLSConfiguration) throws(TLSOptionsError) {
        var small = configuration
        small.trustRoots = .certificates([])
        small.additionalTrustRoots = []
        do {
            _ = try NIOSSLContext(configuration: small)
        } catch {
            throw .refused(FailureReading.text(of: error))
        }
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

    /// The certificates of a PEM file; nil if there are none.
    private static func certificates(_ file: [UInt8]) -> [NIOSSLCertificate]? {
        (try? NIOSSLCertificate.fromPEMBytes(file)).flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// What TLS needs on a connection, made when it is first needed.
///
/// Making it reads the system's authorities, some 140 certificates.
final class LazyTLSContext: Sendable {
    private let configuration: TLSConfiguration
    private let made = Mutex<NIOSSLContext?>(nil)

    init(_ configuration: TLSConfiguration) { self.configuration = configuration }

    /// The context; the same each time.
    func value() throws -> NIOSSLContext {
        try made.withLock { made in
            if let made { return made }
            let context = try NIOSSLContext(configuration: configuration)
            made = context
            return context
        }
    }
}
