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
