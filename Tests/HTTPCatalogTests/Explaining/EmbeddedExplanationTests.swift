import Barcodes
import TestFolders
import Testing

@testable import Catalog
@testable import HTTPCatalog

/// Tests the explanations of lookups in an embedded catalog, and its sample codes.
@Suite struct EmbeddedExplanationTests {
    /// A code to scan, the code that the catalog lists, and the key that the explanation shows.
    private static let cases: [(scan: String, listed: String, key: String)] = [
        ("4006381333931", "4006381333931", "GTIN 04006381333931"),
        ("042100005264", "04252614", "GTIN 00042100005264"),
        ("SKU-7", "SKU-7", "text \"SKU-7\""),
        // An in-store code, listed without its price and with it.
        ("2112345012346", "2112345000008", "GTIN 02112345000008"),
        ("2112345012346", "2112345012346", "GTIN 02112345012346"),
    ]

    @Test(arguments: cases)
    func theKeyThatFoundTheProductIsTold(scan: String, listed: String, key: String) async throws {
        let catalog = try CatalogFile.inMemory()
        try catalog.add(Product(id: "P", codes: [listed, "OTHER"]))
        let settings = BarcodeDecoder.Settings(
            inStorePatterns: [try InStorePattern("21IIIIIPPPPPK")])
        let barcode = BarcodeDecoder(settings: settings).decode(scan, aim: nil)
        let trace = Trace()
        let answer = await catalog.explain(barcode, within: .seconds(1), trace: trace)
        #expect(answer == (await catalog.lookup(barcode, within: .seconds(1))))
        #expect(keys(trace.steps).last == "\(key): found, listed as \"\(listed)\"")
    }

    /// The explanations of the keys, in order.
    private func keys(_ steps: [LookupStep]) -> [String] {
        steps.compactMap { step in
            if case .note("key", let words) = step { words } else { nil }
        }
    }

    @Test(arguments: ["4006381333931", "2012345001992"])
    func aKeyIsTriedAndToldOnce(code: String) async throws {
        let trace = Trace()
        _ = try await CatalogFile.inMemory().explain(
            BarcodeDecoder().decode(code, aim: nil), within: .seconds(1), trace: trace)
        #expect(keys(trace.steps) == ["GTIN 0\(code): not in the catalog"])
    }

    @Test func samplesAreGTINsWhereThereAreAny() throws {
        let catalog = try CatalogFile.inMemory()
        #expect(try catalog.sampleCodes() == [])
        try catalog.add(Product(id: "A", codes: ["12345678901234567", "AAA"]))
        #expect(try catalog.sampleCodes() == ["12345678901234567"])
        try catalog.add(Product(id: "B", codes: ["400638133393-1"]))
        #expect(try catalog.sampleCodes() == ["400638133393-1"])
        try catalog.add(Product(id: "C", codes: ["4006381333948", "4006381333955"]))
        #expect(try catalog.sampleCodes() == ["400638133393-1", "4006381333948"])
    }

    @Test func theExplanationSaysThatACatalogIsNotThere() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("catalog.sqlite")
        let sources = CatalogSources([AwaitedSource(path: path)])
        let explanation = await sources.explain(Barcode(text: "a"))
        #expect(explanation.result.status == .skipped)
        #expect(explanation.lines.contains { $0.contains("there is no catalog yet") })
        _ = try CatalogFile(path: path, access: .writing)
            .importCSV(folder.write("id,code\n1,a\n", to: "x.csv"))
        #expect(await sources.explain(Barcode(text: "a")).result.status == .found)
    }
}

extension CatalogFile {
    /// Makes an empty catalog, whose file is removed while it is open.
    static func inMemory() throws -> CatalogFile {
        let folder = try TemporaryFolder(inMemory: true)
        defer { withExtendedLifetime(folder) {} }
        return try CatalogFile(path: folder.path("catalog.sqlite"), access: .writing)
    }

    /// Adds a product unchanged; an import would correct some of its codes.
    func add(_ product: Product) throws { try write(whole: false) { add in try add(product) } }
}
