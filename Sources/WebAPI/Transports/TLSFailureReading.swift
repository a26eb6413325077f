import NIOSSL

/// Reads what NIOSSL throws.
enum TLSFailureReading {
    /// What happened and in which phase, as far as the error tells.
    static func read(
        _ error: any Error
    ) -> (ConnectionError.Kind?, ConnectionError.Phase?) {
        switch error {
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            (.certificateForAnotherHost, .tls)
        case NIOSSLError.uncleanShutdown: (.closed, nil)
        case NIOSSLError.unableToValidateCertificate, NIOSSLError.noCertificateToValidate:
            (.certificateNotVerified, .tls)
        case NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])): (.closed, .tls)
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
            (kind(of: reasons(in: error)), .tls)
        default: (nil, nil)
        }
    }

    /// The reasons BoringSSL gives, such as `CERTIFICATE_VERIFY_FAILED`.
    ///
    /// They stand in the text alone, between `OPENSSL_internal:` and the place in a source file.
    static func reasons(in error: any Error) -> [String] {
        guard error is NIOSSLError || error is BoringSSLError else { return [] }
        let pieces = String(describing: error).split(separator: "OPENSSL_internal:").dropFirst()
        return pieces.map { String($0.prefix { $0 != " " && $0 != "]" }) }
    }

    private static func kind(of reasons: [String]) -> ConnectionError.Kind {
        for reason in reasons {
            switch reason {
            case "CERTIFICATE_VERIFY_FAILED": return .certificateNotVerified
            case "TLSV1_CERTIFICATE_REQUIRED", "TLSV1_ALERT_CERTIFICATE_REQUIRED",
                "TLSV1_ALERT_UNKNOWN_CA", "SSLV3_ALERT_BAD_CERTIFICATE",
                "SSLV3_ALERT_CERTIFICATE_EXPIRED", "SSLV3_ALERT_CERTIFICATE_REVOKED",
                "SSLV3_ALERT_CERTIFICATE_UNKNOWN", "SSLV3_ALERT_UNSUPPORTED_CERTIFICATE":
                return .clientCertificateRefused
            case "WRONG_VERSION_NUMBER", "UNSUPPORTED_PROTOCOL", "TLSV1_ALERT_PROTOCOL_VERSION",
                "NO_SHARED_CIPHER", "HTTP_REQUEST", "UNKNOWN_PROTOCOL":
                return .noCommonTLS
            case "SSLV3_ALERT_HANDSHAKE_FAILURE", "HANDSHAKE_FAILURE_ON_CLIENT_HELLO":
                return .handshakeRefused
            default: continue
            }
        }
        return .tlsFailed
    }
}
