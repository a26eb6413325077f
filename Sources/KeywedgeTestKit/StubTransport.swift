import Synchronization
public import WebAPI

/// A transport that uses no network: the test provides its outputs.
public final class StubTransport: Transport {
    private let answer: @Sendable (Request, Duration) async -> Output
    private let sent = Mutex<[Request]>([])

    /// Creates a transport that answers each request with the result of `answer`.
    public init(_ answer: @escaping @Sendable (Request, Duration) async -> Output) {
        self.answer = answer
    }

    /// Creates a transport that returns one output for each request, in order, and then fails.
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

    /// All requests so far, in the order in which they were sent.
    public var requests: [Request] { sent.withLock { $0 } }

    /// Records the request, and returns the output that the test provides for the request.
    public func output(for request: Request, within limit: Duration) async -> Output {
        sent.withLock { $0.append(request) }
        return await answer(request, limit)
    }
}
