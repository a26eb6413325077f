import Synchronization
public import WebAPI

/// A transport without a network: what comes of a request is said by the test.
public final class StubTransport: Transport {
    private let answer: @Sendable (Request, Duration) async -> Output
    private let sent = Mutex<[Request]>([])

    /// Makes a transport.
    ///
    /// - Parameter answer: Gives what comes of a request, and is told the time it has.
    public init(_ answer: @escaping @Sendable (Request, Duration) async -> Output) {
        self.answer = answer
    }

    /// Makes a transport that gives outputs one after the other.
    ///
    /// - Parameter outputs: The outputs, in order; after the last, there is no response.
    public convenience init(_ outputs: [Output]) {
        let rest = Mutex(outputs[...])
        self.init { _, _ in
            rest.withLock { $0.popFirst() }
                ?? .noResponse(
                    ConnectionError(
                        .other, during: .connect,
                        underlying: "the stub has no more than \(outputs.count) outputs"))
        }
    }

    /// All requests so far, in order.
    public var requests: [Request] { sent.withLock { $0 } }

    /// Gives what the test says.
    public func output(for request: Request, within limit: Duration) async -> Output {
        sent.withLock { $0.append(request) }
        return await answer(request, limit)
    }
}
