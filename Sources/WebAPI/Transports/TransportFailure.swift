/// Judges why a request failed, by the error and by how far it got.
struct TransportFailure {
    /// What AsyncHTTPClient threw, in our terms.
    enum Cause {
        /// A time was up: the call's, the connection's, or that for a free connection.
        case time
        /// All connections were busy until the time was up.
        case noFreeConnection
        /// The task was cancelled.
        case cancelled
        /// The transport was shut down.
        case shutDown
        /// The server closed the connection.
        case closed
        /// The server answered before it had the request.
        case unasked
        /// The content is too large.
        case bodyTooLarge
        /// The server's key is none of those pinned.
        case pinning(KeyPinningError)
        /// Anything else, as SwiftNIO throws it.
        case other(any Error)
    }

    let cause: Cause
    let scheme: Origin.Scheme
    let progress: ResponseProgress
    let watch: ConnectionWatch
    let limit: Duration
    let took: Duration
    let limits: TransportLimits

    /// The failure as the error a caller sees.
    var connectionError: ConnectionError {
        guard let phase = progress.phase else { return connecting }
        return error(during: phase)
    }

    /// The error of a request that was never on its way.
    ///
    /// AsyncHTTPClient answers with the error of an earlier connection where the time is up, so the
    /// time decides first.
    private var connecting: ConnectionError {
        if case .cancelled = cause { return ConnectionError(.cancelled, during: watch.phase) }
        if case .shutDown = cause { return ConnectionError(.shutDown, during: .connect) }
        let bound = min(limit, limits.connect)
        guard took >= bound || cause.isTime else {
            let error = error(during: .connect)
            // What is closed was open, so it was TLS that was set up.
            guard error.kind == .closed, scheme == .https else { return error }
            return ConnectionError(.closed, during: .tls, underlying: error.underlying)
        }
        if case .noFreeConnection = cause {
            return ConnectionError(.noFreeConnection, during: .connect)
        }
        if watch.serverTakesConnections {
            return ConnectionError(.noFreeConnection, during: .connect)
        }
        return ConnectionError(.timedOut(after: bound), during: watch.phase)
    }

    private func error(during phase: ConnectionError.Phase) -> ConnectionError {
        switch cause {
        case .time, .noFreeConnection: make(.timedOut(after: limit), phase)
        case .cancelled: make(.cancelled, phase)
        case .shutDown: make(.shutDown, phase)
        case .closed: make(.closed, phase)
        case .unasked: make(.unaskedAnswer, .head)
        case .bodyTooLarge: make(.bodyTooLarge(limit: limits.responseBytes), .body)
        case .pinning(.other(let key)): make(.keyNotPinned(found: key), .tls)
        case .pinning(.none): make(.noCommonTLS, .tls, "a pinned key needs https")
        case .other(let error): read(error, phase)
        }
    }

    private func read(_ error: any Error, _ phase: ConnectionError.Phase) -> ConnectionError {
        let reading = FailureReading(error, responseBytes: limits.responseBytes)
        return make(reading.kind ?? .other, reading.phase ?? phase, reading.text)
    }

    private func make(
        _ kind: ConnectionError.Kind, _ phase: ConnectionError.Phase, _ underlying: String = ""
    ) -> ConnectionError {
        ConnectionError(kind, during: phase, underlying: underlying, partial: progress.response)
    }
}

extension TransportFailure.Cause {
    fileprivate var isTime: Bool {
        switch self {
        case .time, .noFreeConnection: true
        default: false
        }
    }
}
