import Barcodes
import Catalog
import HTTPCatalog
import KeywedgeConfiguration
import KeywedgeTestKit
import TestFolders
import TestWaiting
import Testing

/// A preset, a stub of its service, and what must come of it.
struct PresetCase: Sendable, CustomTestStringConvertible {
    /// The preset's name.
    var name: String
    /// What stands beside it, as YAML in braces without them; `SECRET` is a file with `s3cret`.
    var settings: String
    /// The code that is scanned.
    var code: String
    /// The requests for a product that is found: method, target, and body where there is one.
    var requests: [String]
    /// A header field the service asks for, with its value.
    var header: (name: String, value: String)?
    /// What the service answers about a product it has: the targets start with the keys.
    var found: [String: StubAnswer]
    /// The product.
    var product: Product
    /// What it answers, in each of its ways, where it has no such product.
    var missing: [StubAnswer]
    /// What it answers where it is asked too often.
    var throttled: StubAnswer
    /// What it answers where something is broken, and what that is called.
    var broken: [(StubAnswer, LookupFailure.Code)]

    var testDescription: String { name }

    /// Asks the preset, with a service that answers so.
    ///
    /// - Parameter answer: Gives the answer to a request.
    /// - Returns: What the catalog answers, and the requests the service got.
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
        // The times are those of a busy test machine.
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
