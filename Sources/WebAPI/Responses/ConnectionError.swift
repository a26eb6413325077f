import HTTPTypes
import WireText

/// The reason that no complete response arrived.
public struct ConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A step in sending a request and receiving its response.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        case dns
        /// Connecting, or waiting for a free connection.
        case connect
        case tls
        case write
        /// Waiting for the status and headers, after sending the request.
        case head
        /// Reading the content, after the status and headers have arrived.
        case body
    }

    /// The phase in which the request failed.
    public let phase: Phase
    /// The cause of the failure.
    public internal(set) var kind: Kind
    /// The underlying library's message, for logs; may be empty.
    public let underlying: String
    /// The part of the response that arrived before the failure; nil if not even the status arrived.
    ///
    /// Use this response only for diagnosis, never as the result.
    public let partial: Response?

    /// Creates an error, for example in a custom transport.
    public init(
        _ kind: Kind, during phase: Phase, underlying: String = "", partial: Response? = nil
    ) {
        self.phase = phase
        self.kind = kind
        self.underlying = underlying
        self.partial = partial
    }

    /// Whether the server may have received the request and acted on it.
    ///
    /// If false, the request can safely be sent again, whatever its method.
    public var serverMayHaveBeenReached: Bool { [.write, .head, .body].contains(phase) }

    /// The error message, without a full stop.
    public var description: String {
        var text = kind.description
        if !kind.tellsPhase { text += " \(phase)" }
        if let progress { text += " (\(progress))" }
        if kind.isVague, !underlying.isEmpty {
            text += ": " + Escaping.line.escaped(underlying)
        }
        return text
    }

    /// How much of the response arrived, such as `200 OK, 5 of 9 bytes had come`.
    private var progress: String? {
        if case .bodyTooLarge = kind { return nil }
        guard phase == .body, let partial else { return nil }
        let isCompressed = partial.headers[.contentEncoding] != nil
        let length = isCompressed ? nil : partial.headers[.contentLength]
        let announced = length.map { " of \($0)" } ?? ""
        return "\(partial.statusText), \(partial.payload.count)\(announced) bytes had come"
    }
}

extension ConnectionError {
    /// The cause of a request's failure.
    public enum Kind: Hashable, Sendable {
        /// The lookup of the host's name failed.
        case unknownHost
        /// The host refused the connection, usually because nothing listens on the port.
        case refused
        /// There is no route to the host.
        case unreachable
        /// A time limit was exceeded; `after` is this limit.
        case timedOut(after: Duration)
        /// The server closed the connection before the response was complete.
        case closed
        case certificateExpired(HTTPDate)
        case certificateNotYetValid(HTTPDate)
        /// The server's certificate could not be verified, for an unknown reason.
        case certificateNotVerified
        /// The server's certificate is not signed by a trusted authority.
        case certificateNotTrusted
        case certificateForAnotherHost
        /// The server's key is not one of the pinned keys; `found` is the hash of the key.
        case keyNotPinned(found: PinnedKey)
        /// The server requires a client certificate, or it rejected the one that the client sent.
        case clientCertificateRefused
        /// The client and server share no TLS version or cipher, or one of them does not use TLS.
        case noCommonTLS
        /// The server refused to set up TLS and gave no reason.
        ///
        /// With TLS 1.2, servers do so if they require a client certificate or accept none of the client's ciphers.
        case handshakeRefused
        /// TLS failed for a reason that no other case describes.
        case tlsFailed
        /// The decompressed content is larger than this many bytes.
        case bodyTooLarge(limit: Int)
        case headersTooLarge
        /// The server sent something other than HTTP.
        case malformed
        case badCompression
        /// An interceptor refused to send the request; the text is the reason.
        case intercepted(String)
        case cancelled
        /// The transport was shut down before or during the request.
        case shutDown
        /// The request failed for another reason, which ``ConnectionError/underlying`` may describe.
        case other
    }
}

extension ConnectionError.Phase: CustomStringConvertible {
    /// The phase as a clause, such as `while TLS was set up`.
    public var description: String {
        switch self {
        case .dns: "while the host's name was looked up"
        case .connect: "while the connection was made"
        case .tls: "while TLS was set up"
        case .write: "while the request was sent"
        case .head: "while the response was waited for"
        case .body: "while the response's content was read"
        }
    }
}

extension ConnectionError.Kind: CustomStringConvertible {
    /// The cause as the beginning of a sentence, such as `the connection was refused`.
    public var description: String {
        switch self {
        case .unknownHost: "the host's name is unknown"
        case .refused: "the connection was refused"
        case .unreachable: "the host cannot be reached"
        case .timedOut(let limit): "the time of \(limit.text) was up"
        case .closed: "the server closed the connection"
        case .certificateExpired(let date): "the server's certificate expired on \(date)"
        case .certificateNotYetValid(let date):
            "the server's certificate is not valid before \(date)"
        case .certificateNotVerified: "the server's certificate could not be verified"
        case .certificateNotTrusted:
            "the server's certificate is not signed by a trusted authority"
        case .certificateForAnotherHost: "the server's certificate is for another host"
        case .keyNotPinned(let found): "the server's key \(found) is not one of the pinned keys"
        case .clientCertificateRefused: "the server wants a client certificate it trusts"
        case .noCommonTLS: "the server speaks no TLS that is accepted here"
        case .handshakeRefused:
            "the server refused to set up TLS, perhaps because it wants a client certificate or "
                + "another cipher"
        case .tlsFailed: "encryption failed"
        case .bodyTooLarge(let limit): "the limit of \(limit) bytes was passed"
        case .headersTooLarge: "the limit for headers was passed"
        case .malformed: "the server did not answer with HTTP"
        case .badCompression: "the compression was broken"
        case .intercepted(let reason): "the request was refused before it was sent: \(reason)"
        case .cancelled: "the request was cancelled"
        case .shutDown: "the transport was shut down"
        case .other: "the connection failed"
        }
    }

    /// Whether the description implies the ``ConnectionError/phase``, so that a message need not name it.
    fileprivate var tellsPhase: Bool {
        switch self {
        case .unknownHost, .refused, .certificateExpired, .certificateNotYetValid,
            .certificateNotVerified, .certificateNotTrusted, .certificateForAnotherHost,
            .keyNotPinned, .clientCertificateRefused, .handshakeRefused, .intercepted:
            true
        default: false
        }
    }

    /// Whether the underlying message is more precise than the description.
    fileprivate var isVague: Bool {
        switch self {
        case .unreachable, .noCommonTLS, .tlsFailed, .malformed, .other: true
        default: false
        }
    }
}
