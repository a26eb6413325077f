import Barcodes
import Catalog
import HTTPCatalog
import KeywedgeConfiguration
import KeywedgeTestKit
import TestFolders
import TestWaiting
import Testing

/// A preset, a stub of its service, and the expected results.
struct PresetCase: Sendable, CustomTestStringConvertible {
    /// The preset's name.
    var name: String
    /// Further settings of the preset, as the inside of a YAML object in braces; `SECRET` is a file with `s3cret`.
    var settings: String
    /// The scanned code.
    var code: String
    /// The requests for a product that is found: method, target, and body where there is one.
    var requests: [String]
    /// A header field the service asks for, with its value.
    var header: (name: String, value: String)?
    /// The service's answers about a product that it knows; the targets start with the keys.
    var found: [String: StubAnswer]
    /// The product.
    var product: Product
    /// All of its answers that mean "no such product".
    var missing: [StubAnswer]
    /// The answer to too many requests.
    var throttled: StubAnswer
    /// The answers to failures, each with the code of its failure.
    var broken: [(StubAnswer, LookupFailure.Code)]

    var testDescription: String { name }

    /// Looks a code up with the preset and a stub service.
    ///
    /// - Parameter answer: Returns the answer to a request.
    /// - Returns: The catalog's answer, and the requests that the service received.
    /// - Throws: What making files and servers throws.
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
    /// Method, target and body.
    var line: String {
        "\(method) \(target)" + (body.isEmpty ? "" : " " + text)
    }
}

extension Price {
    /// A price of a test.
    static func of(_ amount: String, _ currency: String) -> Price? {
        Currency(currency).flatMap { try? Price(amount: amount, currency: $0) }
    }
}
