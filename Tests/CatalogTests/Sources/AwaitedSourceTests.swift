import Barcodes
import Catalog
import HTTPCatalog
import TestFolders
import Testing

/// Tests sources whose catalog may be imported after the start.
@Suite struct AwaitedSourceTests {
    private let folder: TemporaryFolder
    private let path: String
    private let sources: CatalogSources

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("catalog.sqlite")
        sources = CatalogSources([AwaitedSource(path: path)])
    }

    private func status(of code: String) async -> LookupResult.Status {
        await sources.lookup(Barcode(text: code)).status
    }

    @Test func nothingIsLookedUpUntilItIsThereAndThenEverythingIs() async throws {
        #expect(await status(of: "a") == .skipped)
        let catalog = try CatalogFile(path: path, access: .writing)
        // The catalog has no products yet: it may be in the middle of an import.
        #expect(await status(of: "a") == .skipped)
        try catalog.take("id,code\n1,a\n")
        #expect(await status(of: "a") == .found)
        #expect(await status(of: "b") == .notFound)
        try catalog.take("id,code\n2,b\n")
        #expect(await status(of: "b") == .found)
    }

    @Test func aFileThatIsNoCatalogFailsTheLookup() async throws {
        _ = try folder.write(String(repeating: "binary\u{0}", count: 10_000), to: "catalog.sqlite")
        #expect(await status(of: "a") == .failed)
    }

    @Test func aCatalogThatMustBeThereFailsTheLookup() async throws {
        let missing = AwaitedSource(path: folder.path("none.sqlite"), mayBeMissing: false)
        let sources = CatalogSources([try catalog("id,code\n1,a\n"), missing])
        #expect(await sources.lookup(Barcode(text: "a")).status == .found)
        #expect(await sources.lookup(Barcode(text: "b")).status == .failed)
    }

    @Test func theOtherSourcesAreAskedMeanwhile() async throws {
        let shop = try catalog("id,code\n1,a\n")
        let sources = CatalogSources([AwaitedSource(path: path), shop])
        #expect(await sources.lookup(Barcode(text: "a")).status == .found)
        #expect(await sources.lookup(Barcode(text: "b")).status == .notFound)
    }
}
