import Glibc
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import WireText

/// Reads what SwiftNIO throws.
struct FailureReading: Equatable {
    /// What happened; `nil` where the error does not tell.
    let kind: ConnectionError.Kind?

    /// The phase, where the error tells it better than whoever met it.
    let phase: ConnectionError.Phase?

    /// The error's own words.
    let text: String

    /// Reads an error.
    ///
    /// - Parameters:
    ///   - error: What was thrown.
    ///   - responseBytes: How large a content may be.
    init(_ error: any Error, responseBytes: Int) {
        let (kind, phase) = Self.read(error, responseBytes: responseBytes)
        self.kind = kind
        self.phase = phase
        text = Self.text(of: error)
    }

    private static func read(
        _ error: any Error, responseBytes: Int
    ) -> (ConnectionError.Kind?, ConnectionError.Phase?) {
        switch error {
        case let error as NIOConnectionError:
            guard let first = error.connectionErrors.first?.error else {
                return (.unknownHost, .dns)
            }
            return (read(first, responseBytes: responseBytes).0, .connect)
        case is SocketAddressError.UnknownHost, is SocketAddressError: return (.unknownHost, .dns)
        case let error as IOError: return (kind(of: error.errnoCode), nil)
        case let error as ChannelError: return (kind(of: error), nil)
        case let error as HTTPParserError: return (kind(of: error), nil)
        case NIOHTTPDecompression.DecompressionError.limit:
            return (.bodyTooLarge(limit: responseBytes), .body)
        case is NIOHTTPDecompression.DecompressionError,
            is NIOHTTPDecompression.ExtraDecompressionError:
            return (.badCompression, .body)
        default: return TLSFailureReading.read(error)
        }
    }

    /// Numbers of errors, as Linux has them.
    private static func kind(of code: CInt) -> ConnectionError.Kind? {
        switch code {
        case ECONNREFUSED: .refused
        case ECONNRESET, EPIPE, ECONNABORTED: .closed
        case ENETUNREACH, ENETDOWN, EHOSTUNREACH,
            EHOSTDOWN, ETIMEDOUT:
            .unreachable
        default: nil
        }
    }

    private static func kind(of error: ChannelError) -> ConnectionError.Kind? {
        switch error {
        case .ioOnClosedChannel, .alreadyClosed, .outputClosed, .inputClosed, .eof: .closed
        default: nil
        }
    }

    private static func kind(of error: HTTPParserError) -> ConnectionError.Kind {
        switch error {
        case .invalidEOFState, .closedConnection: .closed
        case .headerOverflow: .headersTooLarge
        default: .malformed
        }
    }

    /// An error's own words, without the places in source files that BoringSSL adds.
    static func text(of error: any Error) -> String {
        if let error = error as? IOError {
            // Its own names the function of a library.
            let number = error.errnoCode
            return "\(SystemCallError(operation: "connect", errno: number).text) (errno \(number))"
        }
        let reasons = TLSFailureReading.reasons(in: error)
        return reasons.isEmpty ? String(describing: error) : reasons.joined(separator: ", ")
    }
}

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
