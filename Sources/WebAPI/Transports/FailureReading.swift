import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import WireText

/// A request's limits and start time, used to explain why it failed.
struct TransportFailure: Sendable {
    let scheme: Origin.Scheme
    let limit: Duration
    let limits: TransportLimits
    let begin: ContinuousClock.Instant

    var rest: Duration { limit - begin.duration(to: .now) }

    /// Converts an AsyncHTTPClient error; `unsure` is reported if the phase is unknown.
    func connectionError(
        for error: any Error, after progress: ResponseProgress? = nil,
        unsure: ConnectionError.Phase = .connect
    ) -> ConnectionError {
        let known = progress?.phase ?? unsure
        let reading = Task.isCancelled ? FailureReading(.cancelled) : read(error, during: known)
        return ConnectionError(
            reading.kind ?? .other, during: reading.phase ?? known, underlying: reading.text,
            partial: progress?.response)
    }

    private func read(_ error: any Error, during phase: ConnectionError.Phase) -> FailureReading {
        let isConnecting = phase == .connect
        let connect = min(limit, limits.connect)
        let bound = isConnecting ? connect : limit
        switch error as? HTTPClientError {
        case .alreadyShutdown?, .cancelled?: return FailureReading(.shutDown)
        case .tlsHandshakeTimeout?: return FailureReading(.timedOut(after: bound), during: .tls)
        case .connectTimeout?, .getConnectionFromPoolTimeout?:
            return FailureReading(.timedOut(after: connect), during: .connect)
        case .readTimeout?: return FailureReading(.timedOut(after: limits.silence ?? limit))
        case .deadlineExceeded?: return FailureReading(.timedOut(after: bound))
        // When the time is up, AsyncHTTPClient may report the error of an earlier connection instead.
        case _ where isConnecting && limit - rest >= bound:
            return FailureReading(.timedOut(after: bound))
        default: break
        }
        var reading =
            error as? HTTPClientError == .remoteConnectionClosed
            ? FailureReading(.closed) : FailureReading(error, responseBytes: limits.responseBytes)
        if reading.kind == .closed, isConnecting, scheme == .https { reading.phase = .tls }
        return reading
    }
}

struct FailureReading {
    /// The cause of the failure; nil if the error does not show it.
    private(set) var kind: ConnectionError.Kind?
    /// The phase of the failure; nil if the error does not show it.
    fileprivate(set) var phase: ConnectionError.Phase?
    /// The error's message, such as `CERTIFICATE_VERIFY_FAILED`; may be empty.
    private(set) var text = ""

    fileprivate init(_ kind: ConnectionError.Kind, during phase: ConnectionError.Phase? = nil) {
        (self.kind, self.phase) = (kind, phase)
    }

    /// Interprets an error; `responseBytes` is the size limit for the response's content.
    init(_ error: any Error, responseBytes: Int = 0) {
        (kind, phase) = Self.read(error, responseBytes)
        text = Self.text(of: error)
    }

    private typealias Reading = (ConnectionError.Kind?, ConnectionError.Phase?)

    private static func read(_ error: any Error, _ responseBytes: Int) -> Reading {
        switch error {
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { (read($0.error, responseBytes).0, .connect) }
                ?? (.unknownHost, .dns)
        case is SocketAddressError.UnknownHost, is SocketAddressError: (.unknownHost, .dns)
        case let error as IOError:
            (kind(of: error.errnoCode), connecting.contains(error.errnoCode) ? .connect : nil)
        case ChannelError.ioOnClosedChannel, ChannelError.alreadyClosed, ChannelError.outputClosed,
            ChannelError.inputClosed, ChannelError.eof, HTTPParserError.invalidEOFState,
            HTTPParserError.closedConnection:
            (.closed, nil)
        case HTTPParserError.headerOverflow: (.headersTooLarge, nil)
        case is HTTPParserError: (.malformed, nil)
        case is BodyTooLarge, NIOHTTPDecompression.DecompressionError.limit:
            (.bodyTooLarge(limit: responseBytes), .body)
        case is NIOHTTPDecompression.DecompressionError,
            is NIOHTTPDecompression.ExtraDecompressionError:
            (.badCompression, .body)
        default: readTLS(error)
        }
    }

    private static func readTLS(_ error: any Error) -> Reading {
        switch error {
        case KeyPinningError.other(let key): (.keyNotPinned(found: key), .tls)
        case is KeyPinningError: (.noCommonTLS, .tls)
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

    /// The `errno` values of failed connection attempts.
    private static let connecting: Set<CInt> = [
        ENOENT, EACCES, EPERM, ECONNREFUSED, ENETUNREACH, ENETDOWN, EHOSTUNREACH, EHOSTDOWN,
    ]

    private static func kind(of code: CInt) -> ConnectionError.Kind? {
        switch code {
        case ECONNREFUSED: .refused
        case ECONNRESET, EPIPE, ECONNABORTED: .closed
        case ENETUNREACH, ENETDOWN, EHOSTUNREACH, EHOSTDOWN, ETIMEDOUT: .unreachable
        default: nil
        }
    }

    /// Returns the error's message, without the source locations that BoringSSL adds.
    private static func text(of error: any Error) -> String {
        if let error = error as? IOError {
            // The error's description would name a C function.
            let number = error.errnoCode
            return "\(SystemCallError(operation: "connect", errno: number).text) (errno \(number))"
        }
        if case KeyPinningError.none = error { return "a pinned key needs https" }
        let reasons = reasons(in: error)
        return reasons.isEmpty ? String(describing: error) : reasons.joined(separator: ", ")
    }

    /// Extracts BoringSSL's reasons, such as `CERTIFICATE_VERIFY_FAILED`, from an error's text.
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
