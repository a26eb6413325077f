import Barcodes
import Catalog
import TestFolders
import Testing

/// Tests an import and a lookup through the module's interface.
@Suite struct CatalogTests {
    @Test func aScanFindsTheProductOfAnImportedTable() async throws {
        let scratch = try TemporaryFolder()
        let csv = try scratch.write(
            """
            Artikelnr;EAN;Bezeichnung;VK;Einheit;Farbe
            B-17;4006381333931;Stabilo Boss;1,99 €;Stk;gelb
            """, to: "products.csv")

        let shop = try CatalogFile(path: scratch.path("catalog.sqlite"), access: .writing)
        let summary = try shop.importCSV(csv)
        #expect(summary.added == 1)

        let register = try CatalogFile(path: scratch.path("catalog.sqlite"))
        let scan = BarcodeDecoder().decode("4006381333931", aim: "]E0")
        let product = Product(
            id: "B-17", codes: ["4006381333931"], name: "Stabilo Boss",
            price: try Price(amount: "1.99", currency: #require(Currency("EUR"))), unit: "Stk",
            attributes: ["Farbe": "gelb"])
        #expect(try register.match(for: scan) == Match(key: .gtin, product: product))

        let sources = CatalogSources([register])
        #expect(
            await sources.lookup(scan)
                == LookupResult(
                    .found, match: Match(key: .gtin, product: product), catalog: "embedded",
                    origin: .embedded))
        #expect(await sources.lookup(Barcode(text: "nothing")) == LookupResult(.notFound))
    }
}
