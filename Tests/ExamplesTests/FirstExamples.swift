import Barcodes
import Keystrokes
import KeywedgeTestKit
import WebAPI

// The first examples on the libraries' landing pages, word for word; FirstExampleTests runs them.

func scans(in events: [KeyEvent]) -> [String] {
    var assembler = ScanAssembler(settings: ScanSettings())
    return events.compactMap { event in
        switch assembler.feed(event) {
        case .scan(let scan): scan.text
        case .rejection(let rejection): "rejected: \(rejection.reason.rawValue)"
        case .nothing: nil
        }
    }
}

func lines(for typed: String) -> [String] {
    let barcode = BarcodeDecoder().decode(typed)
    let elements = barcode.gs1?.elements ?? []
    return [barcode.gtin.map { "GTIN \($0.text)" } ?? barcode.kind.rawValue]
        + elements.map { "(\($0.ai)) \($0.title): \($0.value)" }
        + barcode.problems.map(\.message)
}

struct UserByLogin: Endpoint {
    struct User: Decodable, Sendable {
        let login: String
        let name: String?
    }
    let login: String
    var call: Call<User> { Call("/users/\(login)") }
}

func name(of login: String, over transport: any Transport) async throws -> String? {
    let client = APIClient(baseURL: "https://api.github.com", transport: transport)
    return try await client.send(UserByLogin(login: login)).name
}

func requestsForAName() async throws -> [String] {
    try await StubServer.answering({ _ in .json(#"{"login": "octocat"}"#) }) { server in
        let client = APIClient(
            baseURL: BaseURL(server.url), transport: try AsyncHTTPClientTransport())
        _ = try await client.send(UserByLogin(login: "octocat"))
        return server.requests.map(\.target)
    }
}
