/// What came of sending a request: there is a response, or there is none and a reason for it.
public enum Output: Hashable, Sendable {
    /// The server answered, whatever its status, and the whole answer is here.
    case response(Response)
    /// There is no whole answer.
    case noResponse(ConnectionError)

    /// The response, where there is one.
    public var response: Response? {
        if case .response(let response) = self { response } else { nil }
    }

    /// Why there is none, where that is so.
    public var connectionError: ConnectionError? {
        if case .noResponse(let error) = self { error } else { nil }
    }
}

extension Output {
    /// The output with the time of an attempt as it was set, not as it was when the request went out.
    func naming(_ time: Duration, insteadOf rest: Duration) -> Output {
        guard case .noResponse(let error) = self, error.kind == .timedOut(after: rest) else {
            return self
        }
        return .noResponse(
            ConnectionError(
                .timedOut(after: time), during: error.phase,
                serverMayHaveBeenReached: error.serverMayHaveBeenReached,
                underlying: error.underlying, partial: error.partial))
    }
}
