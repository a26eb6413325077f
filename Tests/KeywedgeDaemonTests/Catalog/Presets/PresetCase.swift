import Barcodes
import Catalog
import HTTPCatalog
import KeywedgeConfiguration
import KeywedgeTestKit
import TestFolders
import TestWaiting
import Testing

/// A preset, the answers of its stubbed service, and the expected results.
struct PresetCase: Sendable, CustomTestStringConvertible {
    var name: String
    /// More settings of the preset, in YAML as between braces; `SECRET` stands for the path of a file with `s3cret`.
    var settings: String
    var code: String
    /// The requests for a product that is found: method, target and, if there is one, the body.
    var requests: [String]
    /// The name and value of a header field that the service requires.
    var header: (name: String, value: String)?
    /// The service's answers about a known product, by the beginning of the request's target.
    var found: [String: StubAnswer]
    var product: Product
    /// All answers of the service that mean "no such product".
    var missing: [StubAnswer]
    /// The service's answer to too many requests.
    var throttled: StubAnswer
    /// Answers of a failing service, each with the failure that the lookup must report.
    var broken: [(StubAnswer, LookupFailure.Code)]

    var testDescription: String { name }

    /// Looks up a code with the preset and a stub service.
    ///
    /// - Parameter answer: Returns the answer to a request.
    /// - Returns: The catalog's answer, and the requests that the service received.
    /// - Throws: An error if a file or server cannot be made.
    func lookup(
        _ answer: @escaping @Sendable (StubRequest) -> StubAnswer
    ) async throws -> (answer: LookupAnswer, requests: [StubRequest]) {
        let folder = try TemporaryFolder()
        let secret = try folder.write("s3cret\n", to: "secret")
        return try await StubServer.answering(answer) { server in
            let catalog = try open(url: server.url, secret: secret)
            let answer = await catalog.lookup(
                BarcodeDecoder().decode(code, aim: nil), within: .seconds(1200))
            return (answer, server.requests)
        }
    }

    private func open(url: String, secret: String) throws -> DeclaredCatalog {
        let known = settings.replacing("SECRET", with: secret).replacing("URL", with: url)
        let text = """
            catalog: {sources: [{preset: \(name), \(known.isEmpty ? "" : known + ", ")
             url: "\(url)"}]}
            """
        let configuration = try Configuration.parse(text: text, file: "k.yaml")
        guard case .http(var catalog) = configuration.catalog.sources.first else {
            throw CancellationError()
        }
        // The limits allow for a busy test machine.
        catalog.declaration.resilience.attemptTimeout = .patience
        catalog.declaration.resilience.connectTimeout = .patience
        return try CatalogFactory { _ in }.open(catalog)
    }
}

extension StubRequest {
    /// The method, the target and, if there is one, the body.
    var line: String {
        "\(method) \(target)" + (body.isEmpty ? "" : " " + text)
    }
}

extension Price {
    /// A price; nil if the amount or currency is invalid.
    static func of(_ amount: String, _ currency: String) -> Price? {
        Currency(currency).flatMap { try? Price(amount: amount, currency: $0) }
    }
}
