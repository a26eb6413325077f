import Barcodes
import Benchmark
import Catalog
import HTTPCatalog
import HTTPTypes
import KeywedgeTestKit
import WebAPI
import WireText

/// Benchmarks of lookups in an HTTP catalog whose answers are already cached.
enum HTTPCatalogBenchmarks {
    /// Registers the benchmark, which measures the time of a thousand lookups.
    static func register() {
        Benchmark("HTTPCatalog: 1,000 lookups of answers that are kept") {
            (benchmark, fixture: Fixture) in
            for index in 0..<1_000 { try fixture.lookUp(benchmark.currentIteration + index) }
        } setup: {
            try await Fixture()
        }
    }

    /// A catalog that has cached ten thousand products, and their barcodes in random order.
    final class Fixture: Sendable {
        private let catalog: DeclaredCatalog
        private let barcodes: [Barcode]

        /// A lookup did not return a cached product.
        struct WrongResult: Error {
            let barcode: Barcode
        }

        init() async throws {
            guard let id = Place("/id"), let name = Place("/name") else {
                throw BenchmarkError.declaration
            }
            var declaration = HTTPCatalogDeclaration(
                name: "shop", url: "http://127.0.0.1:1",
                request: RequestDeclaration(path: try PathTemplate("/p/{code}")))
            declaration.codes = CodeRules(forms: [.gtin13, .asTyped])
            declaration.product.id = [id]
            declaration.product.name = [name]
            let transport = StubTransport { _, _ in
                .response(
                    Response(
                        status: .ok, headers: [.contentType: "application/json"],
                        payload: Array(#"{"id":"1","name":"Kohlwerk pencil, HB"}"#.utf8)))
            }
            catalog = DeclaredCatalog(declaration, transport: transport)
            let assortment = Assortment(size: 10_000)
            let decoder = BarcodeDecoder()
            var generator = SplitMix(state: 13)
            barcodes = (0..<10_000).map { decoder.decode(assortment.ean($0), aim: nil) }
                .shuffled(using: &generator)
            for barcode in barcodes { _ = await catalog.lookup(barcode, within: .seconds(1)) }
        }

        func lookUp(_ index: Int) throws {
            let barcode = barcodes[index % barcodes.count]
            guard let answer = catalog.immediateAnswer(for: barcode), case .found = answer.outcome
            else { throw WrongResult(barcode: barcode) }
            blackHole(answer)
        }
    }

    enum BenchmarkError: Error {
        case declaration
    }
}
