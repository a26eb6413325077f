import Catalog
import Testing

/// Tests rows whose id takes a code from another product.
@Suite struct MovedCodesTests {
    private static let old = (1...10).map { "\($0),SKU-\($0),Product \($0),1.00\n" }.joined()
    private let catalog: CatalogFile

    init() throws {
        catalog = try CatalogFile.inMemory()
        try take("id,code,name,price\n" + Self.old)
    }

    @discardableResult
    private func take(
        _ csv: String, _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportSummary {
        try catalog.take(csv) {
            $0.lossLimit = .standard
            change(&$0)
        }
    }

    private static let renumbered =
        "id,code,name,price\n" + (1...10).map { "N\($0),SKU-\($0),Product \($0),2.00\n" }.joined()

    private func price(_ code: String) throws -> String? {
        try catalog.match(forText: code)?.product.price?.amount
    }

    @Test func anIdTakesOverACodeAndThatIsCountedAndNamed() throws {
        let summary = try take("id,code,name,price\nN1,SKU-1|X,Product 1,2.00\n")
        #expect([summary.added, summary.updated, summary.movedCodes] == [1, 0, 1])
        #expect(summary.changes.sentence == "1 whose code goes to another id")
        #expect(summary.changes.examples == ["\"1\": its code \"SKU-1\" goes to \"N1\""])
        #expect(try price("SKU-1") == "2.00")
        #expect(try catalog.product(id: "1")?.codes == [])
        #expect(try catalog.product(id: "1")?.price?.amount == "1.00")
        // The same file again changes nothing.
        let again = try take("id,code,name,price\nN1,SKU-1|X,Product 1,2.00\n") {
            $0.changeLimit = ChangeLimit("0%")
        }
        #expect([again.unchanged, again.movedCodes] == [1, 0])
    }

    @Test func renumberedIdsAreHeldBack() throws {
        let error = #expect(throws: ExcessiveChange.self) { try take(Self.renumbered) }
        #expect(error?.changes.counts == [.codeMoved: 10])
        #expect(try price("SKU-1") == "1.00")
        #expect(try take(Self.renumbered) { $0.movedCodes = .take }.movedCodes == 10)
        #expect(try price("SKU-1") == "2.00")
    }

    @Test func movedCodesCanBeRefused() throws {
        var rows: [String] = []
        var options = ImportOptions(currency: Currency("EUR"), skipsInvalidRows: true)
        options.movedCodes = .refuse
        let csv = "id,code,price\nN1,04-X,2\nN2,SKU-2,2\n"
        let summary = try catalog.importCSV(bytes: Array(csv.utf8), name: "x", options: options) {
            if case .invalid(let row) = $0 { rows.append("\(row)") }
        }
        #expect([summary.added, summary.skipped] == [1, 1])
        #expect(
            rows.count == 1 && rows[0].hasPrefix("Line 3: The code \"SKU-2\" is one of the product")
        )
        #expect(try price("SKU-2") == "1.00")
        #expect(try catalog.product(id: "N2") == nil)
    }

    /// A shop's row takes no code, so it can create the product that the refused row could not.
    @Test func aShopMayHaveWhatAllAreRefused() throws {
        let chain = try ShopCatalog("id,code,name\n1,SKU-1,Pen\n2,,Cap\n")
        try chain.take("id,code,name,scope\nN,SKU-1,Pen,\nN,,Pencil,a\n2,,Cap,a\n") {
            ($0.movedCodes, $0.skipsInvalidRows) = (.refuse, true)
        }
        #expect(try chain.product("N", of: "a")?.name == "Pencil")
        #expect(try chain.faults("id,name\nN,Other\n", for: "b").count == 1)
        // A product loses its code even if a shop's row names it.
        #expect(try chain.take("id,code,name,scope\nN2,SKU-1,Pen,\n1,,,a\n").movedCodes == 1)
        try chain.expectRoundTrip(of: ["a"])
    }

    @Test(arguments: [
        // Both products have the code in this file.
        "id,code\n2,SKU-1|SKU-2\n1,SKU-1\n",
        // The other product's own row replaces the code.
        "id,code\n2,SKU-1|SKU-2\n1,OTHER\n",
    ])
    func whatTheFileSaysOfTheOtherProductCounts(csv: String) throws {
        let summary = try take(csv)
        #expect(summary.movedCodes == 0)
        #expect(try catalog.product(id: "2")?.codes == ["SKU-1", "SKU-2"])
        #expect(try catalog.product(id: "1")?.codes == [csv.contains("OTHER") ? "OTHER" : "SKU-1"])
    }

    @Test func anotherSpellingIsTheSameCode() throws {
        try take("id,code,price\nE,036000291452|MORE,1\n")
        try take("id,code,price\nF,0036000291452,2\n")
        #expect(try catalog.product(id: "E")?.codes == ["MORE"])
        #expect(try price("0036000291452") == "2.00")
    }

    @Test func aWholeFileTakesTheOthersAwayAnyhow() throws {
        let summary = try take(Self.renumbered) {
            $0.isWhole = true
            $0.lossLimit = nil
        }
        #expect(summary.movedCodes == 0)
        #expect(summary.changes.counts == [.removed: 10])
    }
}
