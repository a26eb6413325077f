import HTTPTypes
import WireText

/// The reason why there is no response.
public struct ConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// How far a request got.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        /// Looking up the host's name.
        case dns
        /// Making the connection, or waiting for a free one.
        case connect
        /// Setting up encryption.
        case tls
        /// Sending the request.
        case write
        /// Waiting for status and headers after sending the request.
        case head
        /// Reading the content after status and headers arrived.
        case body
    }

    /// How far the request got.
    public let phase: Phase
    /// The event that ended the connection.
    public internal(set) var kind: Kind
    /// The message of the underlying library, for logs; empty if there was none.
    public let underlying: String
    /// The part of the response that arrived before the failure: status, headers and some content.
    ///
    /// It helps a developer find the cause; never treat it as the answer.
    public let partial: Response?

    /// Makes an error that happened in a phase.
    public init(
        _ kind: Kind, during phase: Phase, underlying: String = "", partial: Response? = nil
    ) {
        self.phase = phase
        self.kind = kind
        self.underlying = underlying
        self.partial = partial
    }

    /// Whether the server may have seen the request and acted on it.
    ///
    /// If it is false, sending the request again is safe whatever the method.
    public var serverMayHaveBeenReached: Bool { [.write, .head, .body].contains(phase) }

    /// A sentence without full stop: the event, the phase, and how much had arrived.
    public var description: String {
        var text = kind.description
        if !kind.tellsPhase { text += " \(phase)" }
        if let progress { text += " (\(progress))" }
        if kind.isVague, !underlying.isEmpty {
            text += ": " + Escaping.line.escaped(underlying)
        }
        return text
    }

    /// How much had arrived when a body broke off.
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
    /// The event that ended a connection.
    public enum Kind: Hashable, Sendable {
        /// DNS does not know the host's name.
        case unknownHost
        /// Nothing listens on the port.
        case refused
        /// There is no route to the host.
        case unreachable
        /// The time was up.
        case timedOut(after: Duration)
        /// The server closed the connection.
        case closed
        /// The server's certificate expired at this time.
        case certificateExpired(HTTPDate)
        /// The server's certificate becomes valid at this time.
        case certificateNotYetValid(HTTPDate)
        /// The server's certificate was refused, and the reason could not be determined.
        case certificateNotVerified
        /// The server's certificate is not signed by a trusted authority.
        case certificateNotTrusted
        /// The server's certificate is for other names.
        case certificateForAnotherHost
        /// The server's key is not one of the pinned keys; its hash lets you compare it and perhaps pin it.
        case keyNotPinned(found: PinnedKey)
        /// The server wants a client certificate, or refused the one it got.
        case clientCertificateRefused
        /// The two sides have no TLS version or cipher in common, or one of them does not use TLS.
        case noCommonTLS
        /// The server refused to set up TLS without saying why.
        ///
        /// Before TLS 1.3, servers do this if they want a client certificate or lack a common cipher.
        case handshakeRefused
        /// Encryption failed for another reason.
        case tlsFailed
        /// The decompressed content is larger than this many bytes.
        case bodyTooLarge(limit: Int)
        /// The header fields are too large.
        case headersTooLarge
        /// The server sent something other than HTTP.
        case malformed
        /// The content is not compressed in the way its header says.
        case badCompression
        /// An interceptor refused to send the request, for this reason.
        case intercepted(String)
        /// The task was cancelled.
        case cancelled
        /// The transport was shut down.
        case shutDown
        /// Any other event.
        case other
    }
}

extension ConnectionError.Phase: CustomStringConvertible {
    /// The phase as a clause of a sentence.
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
    /// The event as the beginning of a sentence.
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

    /// Whether the description already names the phase.
    fileprivate var tellsPhase: Bool {
        switch self {
        case .unknownHost, .refused, .certificateExpired, .certificateNotYetValid,
            .certificateNotVerified, .certificateNotTrusted, .certificateForAnotherHost,
            .keyNotPinned, .clientCertificateRefused, .handshakeRefused, .intercepted:
            true
        default: false
        }
    }

    /// Whether the underlying message adds information.
    fileprivate var isVague: Bool {
        switch self {
        case .unreachable, .noCommonTLS, .tlsFailed, .malformed, .other: true
        default: false
        }
    }
}
