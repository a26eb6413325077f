import Catalog
import KeywedgeConfiguration
import Synchronization
import Testing

@Suite struct CatalogFactoryTests {
    @Test func aDamagedFileOfAnswersKeepsNobodyFromLookingUp() throws {
        let path = "/dev/full"
        let configuration = try Configuration.parse(
            text: "catalog: {preset: openfoodfacts, answers: \(path)}", file: "k.yaml")
        let told = Mutex<[String]>([])
        let opening = CatalogFactory { sentence in told.withLock { $0.append(sentence) } }
        _ = try opening.sources(of: configuration.catalog) { try CatalogFile(path: $0, name: $1) }
        #expect(told.withLock(\.count) == 1)
        #expect(
            told.withLock { $0.first }?.hasPrefix("Answers of catalogs are kept in memory only: ")
                == true)
    }

    @Test func onlyAStartAcceptsACatalogWhoseSecretCannotBeRead() throws {
        let configuration = try Configuration.parse(
            text: """
                catalog:
                  sources:
                    - http:
                        name: shop
                        url: http://127.0.0.1:1
                        auth: {bearer: {token_file: /nonexistent/token}}
                        request: {path: "/{code}"}
                        product: {id: /id, name: /name}
                """, file: "k.yaml")
        let told = Mutex<[String]>([])
        let opening = CatalogFactory { sentence in told.withLock { $0.append(sentence) } }
        #expect(throws: CatalogOpeningError.self) {
            try opening.sources(of: configuration.catalog) { try CatalogFile(path: $0, name: $1) }
        }
        _ = try opening.sources(of: configuration.catalog, awaitsFiles: true) {
            try CatalogFile(path: $0, name: $1)
        }
        #expect(told.withLock { $0.first }?.contains("/nonexistent/token") == true)
    }
}
