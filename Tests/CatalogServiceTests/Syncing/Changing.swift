import WebAPI

/// A transport whose answers are changed on their way.
struct Changing: Transport {
    private let transport: any Transport
    private let change: @Sendable (Request, Output) -> Output

    init(_ transport: any Transport, _ change: @escaping @Sendable (Request, Output) -> Output) {
        self.transport = transport
        self.change = change
    }

    func output(for request: Request, within limit: Duration) async -> Output {
        change(request, await transport.output(for: request, within: limit))
    }
}
