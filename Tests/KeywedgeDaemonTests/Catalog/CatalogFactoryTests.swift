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
}
