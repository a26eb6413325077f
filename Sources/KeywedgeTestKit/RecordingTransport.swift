import Synchronization
public import WebAPI

/// A transport that keeps what goes over another one.
public final class RecordingTransport: Transport {
    private let base: any Transport
    private let exchanges = Mutex<[RecordedExchange]>([])

    /// Makes a transport.
    ///
    /// - Parameter base: The transport that does the work.
    public init(_ base: any Transport) {
        self.base = base
    }

    /// All exchanges so far, in the order in which they ended.
    public var recording: ExchangeRecording { ExchangeRecording(exchanges.withLock { $0 }) }

    /// Sends the request over the other transport and keeps what came of it.
    public func output(for request: Request, within limit: Duration) async -> Output {
        let output = await base.output(for: request, within: limit)
        exchanges.withLock { $0.append(RecordedExchange(request, output)) }
        return output
    }
}
