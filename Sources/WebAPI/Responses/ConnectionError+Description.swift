import HTTPTypes
import WireText

extension ConnectionError: CustomStringConvertible {
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

extension ConnectionError.Phase: CustomStringConvertible {
    /// The phase as it stands in a sentence.
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
        case .noFreeConnection: "all connections to the server were busy"
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
        case .unaskedAnswer: "the server sent a response before it had the request"
        case .malformed: "the server sent what is no HTTP"
        case .badCompression: "the compression was broken"
        case .cancelled: "the request was cancelled"
        case .shutDown: "the transport was shut down"
        case .other: "the connection failed"
        }
    }

    /// Whether the words say already when it happened.
    fileprivate var tellsPhase: Bool {
        switch self {
        case .unknownHost, .refused, .noFreeConnection, .certificateExpired,
            .certificateNotYetValid, .certificateNotVerified, .certificateNotTrusted,
            .certificateForAnotherHost, .keyNotPinned, .clientCertificateRefused, .handshakeRefused,
            .unaskedAnswer:
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
