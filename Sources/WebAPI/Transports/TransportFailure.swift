import AsyncHTTPClient

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
        let phase = progress?.phase ?? unsure
        let isConnecting = phase == .connect
        func make(
            _ kind: ConnectionError.Kind, _ phase: ConnectionError.Phase, _ underlying: String = ""
        ) -> ConnectionError {
            ConnectionError(
                kind, during: phase, underlying: underlying, partial: progress?.response)
        }
        if Task.isCancelled { return make(.cancelled, phase) }
        let bound = isConnecting ? min(limit, limits.connect) : limit
        let closed: ConnectionError.Phase = isConnecting && scheme == .https ? .tls : phase
        switch error as? HTTPClientError {
        case .alreadyShutdown?, .cancelled?: return make(.shutDown, phase)
        case .tlsHandshakeTimeout?: return make(.timedOut(after: bound), .tls)
        case .connectTimeout?, .getConnectionFromPoolTimeout?:
            return make(.timedOut(after: min(limit, limits.connect)), .connect)
        case .readTimeout?: return make(.timedOut(after: limits.silence ?? limit), phase)
        case .deadlineExceeded?: return make(.timedOut(after: bound), phase)
        // If the time is up, AsyncHTTPClient may give the error of an earlier connection.
        case _ where isConnecting && limit - rest >= bound:
            return make(.timedOut(after: bound), phase)
        case .remoteConnectionClosed?: return make(.closed, closed)
        default: break
        }
        switch error {
        case is BodyTooLarge: return make(.bodyTooLarge(limit: limits.responseBytes), .body)
        case KeyPinningError.other(let key): return make(.keyNotPinned(found: key), .tls)
        case is KeyPinningError: return make(.noCommonTLS, .tls, "a pinned key needs https")
        default:
            let reading = FailureReading(error, responseBytes: limits.responseBytes)
            let kind = reading.kind ?? .other
            return make(kind, reading.phase ?? (kind == .closed ? closed : phase), reading.text)
        }
    }
}
