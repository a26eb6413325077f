import HTTPTypes
import WireText

/// Why there is no response.
public struct ConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
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
    /// What the layer below said, for logs; empty if there was none.
    public let underlying: String
    /// What had come of the response when it broke off: status, headers and a part of the content.
    ///
    /// It is for the eyes of a developer and never to be taken for the answer.
    public let partial: Response?

    /// Makes an error; `serverMayHaveBeenReached` is nil for what the phase says, that is from
    /// ``Phase/write`` on.
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

    /// One sentence without its full stop: what happened, when, and what had come by then.
    public var description: String {
        var text = kind.description
        if !kind.tellsPhase { text += " \(phase)" }
        if let progress { text += " (\(progress))" }
        if kind.isVague, !underlying.isEmpty {
            text += ": " + Escaping.line.escaped(underlying)
        }
        return text
    }

    /// What had come, for a body that broke off.
    private var progress: String? {
        guard phase == .body, !kind.isAboutSize, let partial else { return nil }
        let isCompressed = partial.headers[.contentEncoding] != nil
        let length = isCompressed ? nil : partial.headers[.contentLength]
        let announced = length.map { " of \($0)" } ?? ""
        return "\(partial.statusText), \(partial.payload.count)\(announced) bytes had come"
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
        /// What came is no HTTP.
        case malformed
        /// The content is not compressed as its header says.
        case badCompression
        /// An interceptor refused to send the request, for this reason.
        case intercepted(String)
        /// The task was cancelled.
        case cancelled
        /// The transport was shut down.
        case shutDown
        /// Something else.
        case other
    }
}

extension ConnectionError.Phase: CustomStringConvertible {
    /// The phase as it is in a sentence.
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
    /// The kind as the beginning of a sentence.
    public var description: String {
        switch self {
        case .unknownHost: "the host's name is unknown"
        case .refused: "the connection was refused"
        case .unreachable: "the host cannot be reached"
        case .timedOut(let limit): "the time of \(limit.text) was up"
        case .closed: "the server closed the connection"
        case .certificateExpired(let date):
            "the server's certificate expired" + (date.map { " on \($0)" } ?? "")
        case .certificateNotYetValid(let date):
            "the server's certificate is not valid" + (date.map { " before \($0)" } ?? " yet")
        case .certificateNotVerified: "the server's certificate could not be verified"
        case .certificateNotTrusted:
            "the server's certificate is signed by no authority that is trusted"
        case .certificateForAnotherHost: "the server's certificate is for another host"
        case .keyNotPinned(let found): "the server's key \(found) is none of those pinned"
        case .clientCertificateRefused: "the server wants a client certificate it trusts"
        case .noCommonTLS: "the server speaks no TLS that is accepted here"
        case .handshakeRefused:
            "the server refused to set up TLS, as it does where it wants a client certificate or "
                + "another cipher"
        case .tlsFailed: "encryption failed"
        case .bodyTooLarge(let limit): "the limit of \(limit) bytes was passed"
        case .headersTooLarge: "the limit for headers was passed"
        case .malformed: "the server sent what is no HTTP"
        case .badCompression: "the compression was broken"
        case .intercepted(let reason): "the request was refused before it was sent: \(reason)"
        case .cancelled: "the request was cancelled"
        case .shutDown: "the transport was shut down"
        case .other: "the connection failed"
        }
    }

    /// Whether the words say already when it happened.
    fileprivate var tellsPhase: Bool {
        switch self {
        case .unknownHost, .refused, .certificateExpired, .certificateNotYetValid,
            .certificateNotVerified, .certificateNotTrusted, .certificateForAnotherHost,
            .keyNotPinned, .clientCertificateRefused, .handshakeRefused, .intercepted:
            true
        default: false
        }
    }

    /// Whether how much had come says nothing.
    fileprivate var isAboutSize: Bool {
        if case .bodyTooLarge = self { true } else { false }
    }

    /// Whether the words of the layer below add something.
    var isVague: Bool {
        switch self {
        case .unreachable, .noCommonTLS, .tlsFailed, .malformed, .other: true
        default: false
        }
    }
}
