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
