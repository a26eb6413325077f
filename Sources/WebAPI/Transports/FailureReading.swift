import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL

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
        case ErrorNumber.refused: .refused
        case ErrorNumber.reset, ErrorNumber.brokenPipe, ErrorNumber.aborted: .closed
        case ErrorNumber.noNetwork, ErrorNumber.networkDown, ErrorNumber.noHost,
            ErrorNumber.hostDown, ErrorNumber.timedOut:
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
        let reasons = TLSFailureReading.reasons(in: error)
        return reasons.isEmpty ? String(describing: error) : reasons.joined(separator: ", ")
    }
}
