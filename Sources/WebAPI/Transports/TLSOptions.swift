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
    public struct ClientCertificate: Sendable {
        /// The certificate and those between it and its authority, as PEM.
        public let chain: [UInt8]

        /// The private key, as PEM without passphrase.
        public let key: [UInt8]

        /// Takes a certificate and its key.
        ///
        /// - Parameters:
        ///   - chain: The certificate and those between it and its authority, as PEM.
        ///   - key: The private key, as PEM without passphrase.
        public init(chain: [UInt8], key: [UInt8]) {
            self.chain = chain
            self.key = key
        }
    }

    /// Which authorities are trusted.
    public var trust: Trust

    /// What we show to servers that ask who we are.
    public var clientCertificate: ClientCertificate?

    /// The oldest version that is accepted.
    public var minimumVersion: Version

    /// Keys of which the server must have one, besides a certificate that is verified; empty for
    /// any key.
    public var pinnedKeys: Set<PinnedKey>

    /// Makes options.
    ///
    /// - Parameters:
    ///   - trust: Which authorities are trusted.
    ///   - clientCertificate: What we show to servers that ask who we are.
    ///   - minimumVersion: The oldest version that is accepted; RFC 8996 forbids those before 1.2.
    ///   - pinnedKeys: Keys of which the server must have one; empty for any key.
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

extension TLSOptions.ClientCertificate: CustomStringConvertible, CustomReflectable {
    /// That there is one; never the key.
    public var description: String { "a client certificate" }

    /// The same for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(self, children: ["certificate": description], displayStyle: .struct)
    }
}

/// Why TLS cannot be set up as wanted.
public enum TLSOptionsError: Error, Equatable, Sendable {
    /// What should hold trusted authorities is no PEM file with certificates; its place among them.
    case authorities(index: Int)
    /// The client certificate is no PEM file with certificates.
    case clientCertificate
    /// The client certificate's key is no PEM file with a private key.
    case clientKey
    /// Key and certificate do not belong together, or are refused otherwise, for this reason.
    case refused(String)
}

extension TLSOptionsError: CustomStringConvertible {
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
