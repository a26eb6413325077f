import Synchronization
public import WebAPI

/// A transport that gives again what was recorded, without a network.
///
/// A request is known by its method, URL and content, secrets aside. Of several exchanges for the
/// same request each is given once, in order, and the last one from then on.
public final class ReplayingTransport: Transport {
    private let rest: Mutex<[RecordedExchange]>

    /// Makes a transport.
    ///
    /// - Parameter recording: What was recorded.
    public init(_ recording: ExchangeRecording) {
        rest = Mutex(recording.exchanges)
    }

    /// Gives what was recorded for the request, or an error that names it.
    public func output(for request: Request, within limit: Duration) async -> Output {
        rest.withLock { rest in
            guard let index = rest.firstIndex(where: { $0.isFor(request) }) else {
                return .noResponse(
                    ConnectionError(
                        .other, during: .connect,
                        underlying: "nothing was recorded for \(request)"))
            }
            let exchange = rest[index]
            if rest[(index + 1)...].contains(where: { $0.isFor(request) }) {
                rest.remove(at: index)
            }
            return exchange.output
        }
    }
}
