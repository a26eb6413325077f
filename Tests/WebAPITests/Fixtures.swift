import KeywedgeTestKit
import TestWaiting
import Testing
import WebAPI

/// An endpoint of a stub server.
struct Thing: Endpoint {
    struct Item: Decodable, Equatable, Sendable {
        let id: Int
        let name: String
    }

    let call: Call<Item>

    init(at server: StubServer, path: Path = "/things/1") {
        call = Call(path, baseURL: BaseURL(server.url))
    }
}

/// An endpoint that takes a response of any status as it is.
struct AnyResponse: Endpoint {
    let call: Call<Response>

    init(to request: Request) {
        call = Call(request, accepting: .any, parser: Parser { $0 })
    }
}

extension StubAnswer {
    /// The answer that ``Thing`` reads.
    static let thing = StubAnswer.json(#"{"id":1,"name":"Mate"}"#)
}

/// A transport that a busy machine does not make give up.
func patientTransport(
    tls: TLSOptions = TLSOptions(), connect: Duration = .patience,
    responseBytes: Int = 1 << 20, connections: Int = 8
) throws -> AsyncHTTPClientTransport {
    try AsyncHTTPClientTransport(
        tls: tls,
        limits: TransportLimits(
            connect: connect, responseBytes: responseBytes, connectionsPerServer: connections))
}

/// The error of a call that must fail.
func failure<E: Endpoint>(
    of endpoint: E, by client: APIClient, within limit: Duration = .patience,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws -> CallError where E.Model: Sendable {
    switch await client.result(of: endpoint, within: limit) {
    case .success(let model):
        Issue.record("expected an error, got \(model)", sourceLocation: sourceLocation)
        throw CancellationError()
    case .failure(let error): return error
    }
}
