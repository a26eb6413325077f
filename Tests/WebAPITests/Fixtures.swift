import KeywedgeTestKit
import TestWaiting
import Testing
import WebAPI

/// An endpoint of a stub server that returns a JSON object.
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

/// An endpoint whose result is the whole response, whatever its status.
struct AnyResponse: Endpoint {
    let call: Call<Response>

    init(to request: Request) {
        call = Call(request, accepting: .any, parser: Parser { $0 })
    }
}

extension StubAnswer {
    /// An answer that ``Thing`` can parse.
    static let thing = StubAnswer.json(#"{"id":1,"name":"Mate"}"#)
}

/// A transport whose time limits are long enough for a busy machine.
func patientTransport(
    tls: TLSOptions = TLSOptions(), connect: Duration = .patience,
    responseBytes: Int = 1 << 20, connections: Int = 8
) throws -> AsyncHTTPClientTransport {
    try AsyncHTTPClientTransport(
        tls: tls,
        limits: TransportLimits(
            connect: connect, responseBytes: responseBytes, connectionsPerServer: connections))
}

/// Calls an endpoint and returns the error; success fails the test.
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
