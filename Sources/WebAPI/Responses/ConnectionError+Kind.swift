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
