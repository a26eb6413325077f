/// Why there is no response.
public struct ConnectionError: Error, Hashable, Sendable {
    /// How far it got.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        /// The host's name was looked up.
        case dns
        /// The connection was made, or a free one was waited for.
        case connect
        /// The two ends agreed on encryption.
        case tls
        /// The request was written.
        case write
        /// The request was sent, and status and headers waited for.
        case head
        /// Status and headers had come, and the content was being read.
        case body
    }

    /// How far it got.
    public let phase: Phase

    /// What happened.
    public let kind: Kind

    /// Whether the server may have seen the request, and so may have acted on it.
    ///
    /// Where this is false, sending again is safe whatever the method.
    public let serverMayHaveBeenReached: Bool

    /// What the layer below said, for logs; empty where there was none.
    public let underlying: String

    /// What had come of the response when it broke off: status, headers and a part of the content.
    ///
    /// It is for the eyes of a developer and never to be taken for the answer.
    public let partial: Response?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - kind: What happened.
    ///   - phase: How far it got.
    ///   - serverMayHaveBeenReached: Whether the server may have seen the request; `nil` for what
    ///     the phase says, that is from ``Phase/write`` on.
    ///   - underlying: What the layer below said.
    ///   - partial: What had come of the response.
    public init(
        _ kind: Kind, during phase: Phase, serverMayHaveBeenReached: Bool? = nil,
        underlying: String = "", partial: Response? = nil
    ) {
        self.phase = phase
        self.kind = kind
        self.serverMayHaveBeenReached =
            serverMayHaveBeenReached ?? [.write, .head, .body].contains(phase)
        self.underlying = underlying
        self.partial = partial
    }
}

extension ConnectionError {
    /// What happened to a connection.
    public enum Kind: Hashable, Sendable {
        /// The host's name is not known to DNS.
        case unknownHost
        /// Nobody listens on the port.
        case refused
        /// There is no way to the host.
        case unreachable
        /// The time was up.
        case timedOut(after: Duration)
        /// All connections to the server that may be open were busy until the time was up.
        case noFreeConnection
        /// The server closed the connection.
        case closed
        /// The server's certificate is valid no longer; since when, where that is known.
        case certificateExpired(HTTPDate?)
        /// The server's certificate is not valid yet; from when, where that is known.
        case certificateNotYetValid(HTTPDate?)
        /// The server's certificate was not believed, for a reason that could not be found out.
        case certificateNotVerified
        /// No authority that is trusted signed the server's certificate.
        case certificateNotTrusted
        /// The server's certificate is for other names.
        case certificateForAnotherHost
        /// The server's key is none of those pinned; its hash, to compare and perhaps to pin.
        case keyNotPinned(found: PinnedKey)
        /// The server wants a client certificate, or refused the one it got.
        case clientCertificateRefused
        /// The two ends found no version or cipher in common, or one of them speaks no TLS.
        case noCommonTLS
        /// The server refused to go on and did not say why; before TLS 1.3 it is how one says that
        /// it wants a client certificate, and how one says that it lacks a common cipher.
        case handshakeRefused
        /// Encryption failed otherwise.
        case tlsFailed
        /// The content is larger than this many bytes, decompressed.
        case bodyTooLarge(limit: Int)
        /// The header fields are too large.
        case headersTooLarge
        /// The server sent a response before it had the request, which can only be one too many to
        /// an earlier request.
        case unaskedAnswer
        /// What came is no HTTP.
        case malformed
        /// The content is not compressed as its header says.
        case badCompression
        /// The task was cancelled.
        case cancelled
        /// The transport was shut down.
        case shutDown
        /// Something else.
        case other
    }
}
