import Catalog
import Testing

/// Tests the limits on how many products an import may change or remove.
@Suite struct ImportLimitTests {
    private static let ten =
        "id,ean,name,price\n"
        + (1...10).map { "\($0),,Product \($0),1.0\($0 % 10)\n" }.joined()

    private let catalog: CatalogFile

    init() throws {
        catalog = try CatalogFile.inMemory()
        try catalog.take(Self.ten) { $0.changeLimit = ChangeLimit("0%") }
    }

    @Test func aWholeFileTakesAwayWhatItDoesNotHave() throws {
        let summary = try catalog.take("id,name\n1,one\n2,Product 2\n11,new\n") {
            $0.isWhole = true
        }
        #expect(summary.added == 1)
        #expect(summary.updated == 1)
        #expect(summary.removed == 8)
        #expect(try catalog.count() == 3)
        #expect(try catalog.product(id: "3") == nil)
    }

    @Test func whatIsMoreThanTheLimitChangesNothing() throws {
        let before = try catalog.exported()
        let error = #expect(throws: ExcessiveChange.self) {
            try catalog.take("id,price\n1,2\n2,\n3,2\n") { $0.changeLimit = ChangeLimit("20%") }
        }
        #expect(
            error?.description == """
                "x.csv" was not imported: of 10 products 3 would change or go, and 20% of them may.
                They would be: 1 without their price, 2 with another price.
                "1": price 1.01 EUR becomes 2.00 EUR
                "2": price 1.02 EUR becomes none
                "3": price 1.03 EUR becomes 2.00 EUR
                To import it nevertheless, write --max-change 30%.
                """)
        #expect(try catalog.exported() == before)
    }

    @Test(arguments: [("30%", true), ("29.99%", false), ("29.5%", false), ("100%", true)])
    func theLimitIsExact(limit: String, isAllowed: Bool) throws {
        let csv = "id,price\n1,2\n2,2\n3,2\n4,1.04\n20,5\n"
        let result = Result { try catalog.take(csv) { $0.changeLimit = ChangeLimit(limit) } }
        #expect(((try? result.get()) != nil) == isAllowed)
    }

    @Test func withoutALimitOfItsOwnOnlyLossesCount() throws {
        let prices = "id,price\n" + (1...10).map { "\($0),3\n" }.joined()
        #expect(try catalog.take(prices) { $0.lossLimit = .standard }.updated == 10)
        #expect(throws: ExcessiveChange.self) {
            try catalog.take("id,price\n1,\n2,\n3,\n") { $0.lossLimit = .standard }
        }
        #expect(throws: ExcessiveChange.self) {
            try catalog.take("id\n1\n2\n3\n4\n5\n6\n7\n") {
                $0.lossLimit = .standard
                $0.isWhole = true
            }
        }
        #expect(try catalog.count() == 10)
    }

    @Test(arguments: ["name", "ean"])
    func anotherPriceHidesNoLoss(column: String) throws {
        try catalog.take("id,ean\n" + (1...10).map { "\($0),X\($0)\n" }.joined())
        let rows = (1...3).map { "\($0),,3\n" }.joined()
        let error = #expect(throws: ExcessiveChange.self) {
            try catalog.take("id,\(column),price\n\(rows)") { $0.lossLimit = .standard }
        }
        #expect(error?.changes.lossCount == 3)
    }

    @Test func whatRowsMakeOfAProductIsJudgedBehindTheLast() throws {
        let dated = "id,price,valid_from\n1,,\n1,1.10,2020-01-01T00:00:00Z\n"
        #expect(
            try catalog.take(dated) { $0.isTrial = true }.changes.sentence == "1 with another price"
        )
        let shop = try ShopCatalog("id,name,scope\n1,A,aa\n")
        let rows = ["1,,0.50,2030-01-01T00:00:00Z,\n", "1,A,,,no\n"]
        for rows in [rows, rows.reversed()] {
            let csv = "id,name,price,valid_from,listed\n" + rows.joined()
            let changes = try shop.take(csv) { $0.isTrial = true }.changes
            #expect(changes.sentence == "1 with another price")
        }
    }

    @Test func aTrialTellsAndChangesNothing() throws {
        let before = try catalog.exported()
        let summary = try catalog.take("id,price\n1,2\n") {
            $0.isTrial = true
            $0.isWhole = true
            $0.lossLimit = .standard
        }
        #expect(summary.removed == 9)
        #expect(summary.changes.sentence == "9 gone, 1 with another price")
        #expect(try catalog.exported() == before)
    }

    @Test(arguments: ["20", "", "%", "-1%", "101%", "1.234%", "20 %", "1,5%", "1e1%"])
    func whatIsNoShareIsRefused(text: String) {
        #expect(ChangeLimit(text) == nil)
    }

    @Test(arguments: ["0%", "20%", "0.5%", "12.25%", "100%", "99.05%"])
    func aShareReadsBack(text: String) {
        #expect(ChangeLimit(text)?.description == text)
    }
}

/// Tests the line that ends a complete file, and the conditions that select rows.
@Suite struct ImportReadingTests {
    private func ended(_ csv: String) throws -> TriedImport {
        try TriedImport(csv) { $0.endLine = "END" }
    }

    @Test(arguments: [
        "id,name\n1,one\nEND\n", "id,name\n1,one\nEND", "id,name\r\n1,one\r\nEND\r\n\r\n",
    ])
    func theLastLineSaysThatTheFileIsWhole(csv: String) throws {
        #expect(try ended(csv).catalog.count() == 1)
    }

    @Test(arguments: [
        "id,name\n1,one\n", "id,name\n1,one\n2,\"tw", "id,name\n1,one\nEN", "id,name\n",
    ])
    func aFileThatIsCutShortIsNotImported(csv: String) throws {
        let tried = try ended(csv)
        #expect(
            tried.error
                == "\"x.csv\" was not imported: it was cut short; expected \"END\" as its last line."
        )
        #expect(try tried.catalog.count() == 0)
    }

    @Test func nothingMayFollowTheLastLine() throws {
        let tried = try ended("id,name\n1,one\nEND\n2,two\n")
        #expect(tried.error.contains("lines follow the one that says it is whole"))
        #expect(try tried.catalog.count() == 0)
    }

    @Test func onlyRowsThatMeetAllConditionsCount() throws {
        let csv = "id,type,live\n1,simple,1\n2,variable,1\n3,Simple,0\n4,SIMPLE,1\n"
        let tried = try TriedImport(csv) {
            $0.conditions = ["Type=simple", "live=1"].compactMap { RowCondition($0) }
        }
        #expect(try tried.catalog.count() == 2)
        let missing = try TriedImport(csv) {
            $0.conditions = [RowCondition("typ=1")].compactMap(\.self)
        }
        #expect(
            missing.error
                == "\"x.csv\" has no column \"typ\" to choose rows by; found \"id\", \"type\", \"live\"."
        )
    }
}
