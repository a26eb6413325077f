import Barcodes
import TestFolders
import TestTexts
import Testing

@testable import Catalog

@Suite struct WriteBackTests {
    @Test func aNewPriceReplacesTheOldOneAndTheShopsOwnWordStays() throws {
        let embedded = try catalog("id,code,name,price,currency\nown,1,Own,9.99,EUR\n")
        let old = try product("p", "1.00")
        #expect(try embedded.writeBack(old, from: "shop") == .added)
        #expect(try embedded.writeBack(old, from: "shop") == .unchanged)
        #expect(try embedded.writeBack(try product("p", "2.00"), from: "shop") == .updated)
        #expect(try embedded.writeBack(try product("p", "3.00"), from: "other") == .kept)
        #expect(try embedded.writeBack(try product("own", "1.00"), from: "shop") == .kept)
        _ = try embedded.importCSV(
            bytes: Array("id,price,currency\np,5.00,EUR\n".utf8), name: "own.csv")
        #expect(try embedded.writeBack(try product("p", "6.00"), from: "shop") == .kept)
        #expect(try embedded.product(id: "p")?.price?.description == "5.00 EUR")
        #expect(try embedded.product(id: "own")?.price?.description == "9.99 EUR")
    }

    @Test func whatOnlyAShopHadIsThereForAllOnceItIsWrittenBack() throws {
        let chain = try ShopCatalog("id,name,scope\n9,Bun,harbour\n1,,alps\n")
        let bun = Product(id: "9", codes: [], name: "Bun")
        #expect(try chain.whole.writeBack(bun, from: "shop") == .updated)
        #expect(try chain.whole.writeBack(bun, from: "shop") == .unchanged)
        #expect(try chain.prices("alps")["9"] == "none")
    }

    @Test func theCodeThatWasScannedFindsTheProductThatWasWritten() async throws {
        let embedded = try EmbeddedCatalog.inMemory()
        let writeBack = WriteBack(to: embedded, from: ["shop"]) { Issue.record("\($0)") }
        let barcode = BarcodeDecoder().decode("036000291452", aim: nil)
        writeBack.take(
            Match(key: .gtin, product: Product(id: "no codes")), for: barcode, from: "shop")
        writeBack.take(
            Match(key: .gtin, product: Product(id: "a"), others: [Product(id: "b")]),
            for: barcode, from: "shop")
        writeBack.take(
            Match(key: .gtin, product: Product(id: "elsewhere")), for: barcode, from: "other")
        writeBack.take(
            Match(key: .gtin, product: Product(id: "n\u{0}l")), for: barcode, from: "shop")
        await writeBack.finish()
        #expect(try embedded.count() == 1)
        #expect(try embedded.match(for: barcode)?.product.codes == ["00036000291452"])
    }

    @Test func whatCannotBeWrittenIsToldOnce() async throws {
        let scratch = try TemporaryFolder()
        let path = scratch.path("catalog.sqlite")
        let embedded = try EmbeddedCatalog(path: path, access: .writing)
        #expect(try run("sqlite3", path, "DROP TABLE code; DROP TABLE product").status == 0)
        let reasons = Sentences()
        let writeBack = WriteBack(to: embedded, from: ["shop"]) { reasons.add($0) }
        for _ in 0..<3 {
            writeBack.take(
                Match(key: .text, product: Product(id: "a")), for: Barcode(text: "1"),
                from: "shop")
            await writeBack.finish()
        }
        #expect(
            reasons.lines == [
                "A product of shop could not be written back: The catalog \"\(path)\" "
                    + "failed: no such table: product (SQLite 1)."
            ])
    }

    private func product(_ id: String, _ price: String) throws -> Product {
        Product(
            id: id, codes: ["2"], name: "Pen",
            price: try Price(amount: price, currency: #require(Currency("EUR"))))
    }
}
