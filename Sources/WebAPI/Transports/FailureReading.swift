import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import WireText

/// What is known of a request when it fails.
struct TransportFailure: Sendable {
    let scheme: Origin.Scheme
    let limit: Duration
    let limits: TransportLimits
    let begin: ContinuousClock.Instant

    /// The time that is left.
    var rest: Duration { limit - begin.duration(to: .now) }

    /// The error that AsyncHTTPClient threw, in our terms; `unsure` is the phase if neither the error
    /// nor the progress says it.
    func connectionError(
        for error: any Error, after progress: ResponseProgress? = nil,
        unsure: ConnectionError.Phase = .connect
    ) -> ConnectionError {
        let (kind, phase, text) =
            Task.isCancelled
            ? (.cancelled, nil, "")
            : reading(error, isConnecting: (progress?.phase ?? unsure) == .connect)
        return ConnectionError(
            kind, during: phase ?? progress?.phase ?? unsure, underlying: text,
            partial: progress?.response)
    }

    private typealias Reading = (ConnectionError.Kind, ConnectionError.Phase?, String)

    private func reading(_ error: any Error, isConnecting: Bool) -> Reading {
        let bound = isConnecting ? min(limit, limits.connect) : limit
        let closed: ConnectionError.Phase? = isConnecting && scheme == .https ? .tls : nil
        switch error as? HTTPClientError {
        case .alreadyShutdown?, .cancelled?: return (.shutDown, nil, "")
        case .tlsHandshakeTimeout?: return (.timedOut(after: bound), .tls, "")
        case .connectTimeout?, .getConnectionFromPoolTimeout?:
            return (.timedOut(after: min(limit, limits.connect)), .connect, "")
        case .readTimeout?: return (.timedOut(after: limits.silence ?? limit), nil, "")
        case .deadlineExceeded?: return (.timedOut(after: bound), nil, "")
        // If the time is up, AsyncHTTPClient may give the error of an earlier connection.
        case _ where isConnecting && limit - rest >= bound:
            return (.timedOut(after: bound), nil, "")
        case .remoteConnectionClosed?: return (.closed, closed, "")
        default: break
        }
        switch error {
        case is BodyTooLarge: return (.bodyTooLarge(limit: limits.responseBytes), .body, "")
        case KeyPinningError.other(let key): return (.keyNotPinned(found: key), .tls, "")
        case is KeyPinningError: return (.noCommonTLS, .tls, "a pinned key needs https")
        default:
            let reading = FailureReading(error, responseBytes: limits.responseBytes)
            let kind = reading.kind ?? .other
            return (kind, reading.phase ?? (kind == .closed ? closed : nil), reading.text)
        }
    }
}

/// Reads what SwiftNIO throws.
struct FailureReading: Equatable {
    /// What happened; nil if the error does not say it.
    let kind: ConnectionError.Kind?

    /// The phase, if the error says it better than someone who met it.
    let phase: ConnectionError.Phase?

    /// The error's own words.
    let text: String

    /// Reads an error; `responseBytes` is how large a content may be.
    init(_ error: any Error, responseBytes: Int) {
        (kind, phase) = Self.read(error, responseBytes)
        text = Self.text(of: error)
    }

    private static func read(
        _ error: any Error, _ responseBytes: Int
    ) -> (ConnectionError.Kind?, ConnectionError.Phase?) {
        switch error {
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { (read($0.error, responseBytes).0, .connect) }
                ?? (.unknownHost, .dns)
        case is SocketAddressError.UnknownHost, is SocketAddressError: (.unknownHost, .dns)
        case let error as IOError:
            (kind(of: error.errnoCode), connecting.contains(error.errnoCode) ? .connect : nil)
        case let error as ChannelError:
            (
                [.ioOnClosedChannel, .alreadyClosed, .outputClosed, .inputClosed, .eof].contains(
                    error)
                    ? .closed : nil, nil
            )
        case HTTPParserError.invalidEOFState, HTTPParserError.closedConnection: (.closed, nil)
        case HTTPParserError.headerOverflow: (.headersTooLarge, nil)
        case is HTTPParserError: (.malformed, nil)
        case NIOHTTPDecompression.DecompressionError.limit:
            (.bodyTooLarge(limit: responseBytes), .body)
        case is NIOHTTPDecompression.DecompressionError,
            is NIOHTTPDecompression.ExtraDecompressionError:
            (.badCompression, .body)
        default: readTLS(error)
        }
    }

    /// Errors that `connect` alone gives.
    private static let connecting: Set<CInt> = [
        ENOENT, EACCES, EPERM, ECONNREFUSED, ENETUNREACH, ENETDOWN, EHOSTUNREACH, EHOSTDOWN,
    ]

    /// Numbers of errors, as Linux has them.
    private static func kind(of code: CInt) -> ConnectionError.Kind? {
        switch code {
        case ECONNREFUSED: .refused
        case ECONNRESET, EPIPE, ECONNABORTED: .closed
        case ENETUNREACH, ENETDOWN, EHOSTUNREACH, EHOSTDOWN, ETIMEDOUT: .unreachable
        default: nil
        }
    }

    /// An error's own words, without the places in source files that BoringSSL adds.
    static func text(of error: any Error) -> String {
        if let error = error as? IOError {
            // Its own words name the function of a library.
            let number = error.errnoCode
            return "\(SystemCallError(operation: "connect", errno: number).text) (errno \(number))"
        }
        let reasons = reasons(in: error)
        return reasons.isEmpty ? String(describing: error) : reasons.joined(separator: ", ")
    }

    private static func readTLS(
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
            (reasons(in: error).lazy.compactMap(kind).first ?? .tlsFailed, .tls)
        default: (nil, nil)
        }
    }

    /// The reasons BoringSSL gives, such as `CERTIFICATE_VERIFY_FAILED`.
    ///
    /// They are in the text alone, between `OPENSSL_internal:` and the place in a source file.
    private static func reasons(in error: any Error) -> [String] {
        guard error is NIOSSLError || error is BoringSSLError else { return [] }
        let pieces = String(describing: error).split(separator: "OPENSSL_internal:").dropFirst()
        return pieces.map { String($0.prefix { $0 != " " && $0 != "]" }) }
    }

    private static func kind(of reason: String) -> ConnectionError.Kind? {
        switch reason {
        case "CERTIFICATE_VERIFY_FAILED": .certificateNotVerified
        case "TLSV1_CERTIFICATE_REQUIRED", "TLSV1_ALERT_CERTIFICATE_REQUIRED",
            "TLSV1_ALERT_UNKNOWN_CA", "SSLV3_ALERT_BAD_CERTIFICATE",
            "SSLV3_ALERT_CERTIFICATE_EXPIRED", "SSLV3_ALERT_CERTIFICATE_REVOKED",
            "SSLV3_ALERT_CERTIFICATE_UNKNOWN", "SSLV3_ALERT_UNSUPPORTED_CERTIFICATE":
            .clientCertificateRefused
        case "WRONG_VERSION_NUMBER", "UNSUPPORTED_PROTOCOL", "TLSV1_ALERT_PROTOCOL_VERSION",
            "NO_SHARED_CIPHER", "HTTP_REQUEST", "UNKNOWN_PROTOCOL":
            .noCommonTLS
        case "SSLV3_ALERT_HANDSHAKE_FAILURE", "HANDSHAKE_FAILURE_ON_CLIENT_HELLO":
            .handshakeRefused
        default: nil
        }
    }
}
