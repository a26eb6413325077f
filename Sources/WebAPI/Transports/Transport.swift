/// The seam between this library and whatever carries requests to servers.
///
/// A transport does not throw: whatever happens is an ``Output``, so nothing can be dropped. It
/// sends one request and gives back its response, of any status, redirects included. It does not
/// send again, does not follow, and does not interpret.
public protocol Transport: Sendable {
    /// Sends a request and reads the whole response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - limit: The time for all of it, from the connection to the last byte of the content. When
    ///     it is up, the output is a ``ConnectionError/Kind/timedOut(after:)`` in the phase it was
    ///     in, and the connection is closed.
    /// - Returns: The output. Where the task is cancelled, a ``ConnectionError/Kind/cancelled``, and
    ///   the connection is closed.
    func output(for request: Request, within limit: Duration) async -> Output
}
