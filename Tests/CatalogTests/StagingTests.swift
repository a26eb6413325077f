import Catalog
import Foundation
import TestFolders
import Testing

/// Tests that imports leave nothing locked or half done, and count every row.
@Suite(.timeLimit(.minutes(20))) struct StagingTests {
    @Test func aStalledPipeLocksNobodyOut() async throws {
        let scratch = try TemporaryFolder()
        let path = scratch.path("catalog.sqlite")
        try take("id,code,name\n1,a,old\n", into: path)

        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("id,code,name\n1,a,new\n2,b".utf8))
        let (stalled, continuation) = AsyncStream<Void>.makeStream()
        let importing = Task.detached {
            defer { continuation.finish() }
            let catalog = try CatalogFile(path: path, access: .writing)
            let descriptor = pipe.fileHandleForReading.fileDescriptor
            return try catalog.importCSV("pipe", descriptor: descriptor) { event in
                if case .progress(bytes: _, of: _, rows: 1) = event { continuation.yield() }
            }
        }
        // The first row has been staged, and the second is still incomplete.
        for await _ in stalled { break }
        try take("id,code,name\n3,c,meanwhile\n", into: path)
        #expect(try CatalogFile(path: path).product(id: "1")?.name == "old")

        try pipe.fileHandleForWriting.write(contentsOf: Data(",two\n".utf8))
        try pipe.fileHandleForWriting.close()
        let summary = try await importing.value
        #expect(summary.added == 1 && summary.updated == 1)
        let catalog = try CatalogFile(path: path)
        let names = try ["1", "2", "3"].map { try catalog.product(id: $0)?.name }
        #expect(names == ["new", "two", "meanwhile"])
    }

    private func take(_ csv: String, into path: String) throws {
        let catalog = try CatalogFile(path: path, access: .writing, busyTimeout: .zero)
        try catalog.take(csv)
    }

    @Test func anImportThatFailsLeavesNothingForTheNext() throws {
        let catalog = try catalog("id,code\n1,a\n")
        for csv in ["id,code\n2,b\n2,c\n", "id,code\n3,\"x\n"] {
            #expect(throws: ImportError.self) {
                try catalog.take(csv)
            }
        }
        #expect(try catalog.take("id\n4\n").added == 1)
        #expect(try catalog.exported() == "id,code,name,price,currency,unit\n1,a,,,,\n4,,,,,\n")
    }

    @Test func everyRowIsCountedOnce() throws {
        let catalog = try catalog("id,code\n1,a\n2,b\n")
        let csv = """
            id,code,price,valid_from
            1,a,1,
            1,,2,2026-12-01T00:00:00Z
            1,a,3,
            2,b,,
            3,c,1,
            ,c,9,
            ,3,9,

            """
        let summary = try catalog.take(csv) { $0.skipsInvalidRows = true }
        #expect(summary.rows == 7)
        let counts = [summary.added, summary.updated, summary.unchanged, summary.further]
        #expect(counts == [1, 1, 1, 1] && summary.skipped == 3)
    }

    @Test func attributesThatTheFileDoesNotHaveStayInTheirOrder() throws {
        let catalog = try catalog("id,b,c\n1,\"x \"\"y\",z\n")
        try catalog.take("id,a,c\n1,new,\n")
        #expect(try catalog.product(id: "1")?.attributes == ["a": "new", "b": "x \"y"])
    }
}

/// Tests writing products without a CSV file.
@Suite struct WritingTests {
    private let pen = Product(id: "pen", codes: ["4006381333931"], name: "Pen")
    private let catalog: CatalogFile

    init() throws {
        catalog = try CatalogFile.inMemory()
        try catalog.add(pen, Product(id: "bag", attributes: ["colour": "red"]))
    }

    @Test func aDeltaChangesAndRemovesProducts() throws {
        let summary = try catalog.write(whole: false, removing: ["bag", "none"]) { add in
            try add(Product(id: "pen", codes: ["x"]))
            try add(Product(id: "new"))
        }
        #expect(summary.added == 1 && summary.updated == 1 && summary.removed == 1)
        #expect(try catalog.product(id: "pen") == Product(id: "pen", codes: ["x"]))
        #expect(try catalog.product(id: "bag") == nil)
    }

    @Test func aWholeCatalogIsExactlyWhatIsAdded() throws {
        try catalog.take("id,name,scope\n9,Bun,harbour\npen,,harbour\n")
        let summary = try catalog.write(whole: true, { add in try add(pen) })
        #expect(summary.added + summary.updated == 0)
        #expect(summary.removed == 2 && summary.unchanged == 1)
        let csv = "id,code,name,price,currency,unit\npen,4006381333931,Pen,,,\n"
        #expect(try catalog.exported() == csv)
    }

    @Test func whatTheRowsThrowTakesEverythingBack() throws {
        struct Refused: Error {}
        let before = try catalog.exported()
        #expect(throws: Refused.self) {
            try catalog.write(whole: true) { add in
                try add(Product(id: "x"))
                throw Refused()
            }
        }
        #expect(try catalog.exported() == before)
    }

    @Test func aProductCannotBeAddedTwice() throws {
        #expect(throws: InvalidRow.self) {
            try catalog.write(whole: false) { add in
                try add(Product(id: "x"))
                try add(Product(id: "x", name: "X"))
            }
        }
    }

    @Test func pricesForATimeAreWrittenInTheirOrder() throws {
        let euro = try #require(Currency("EUR"))
        var product = Product(id: "x", price: try Price(amount: "3", currency: euro))
        product.datedPrices = try [(1, 5), (nil, 4), (nil, 9)].map { (from: Int64?, until: Int64) in
            try #require(
                DatedPrice(Price(amount: "\(until)", currency: euro), from: from, until: until))
        }
        try catalog.add(product)
        #expect(try catalog.product(id: "x") == product)
        let summary = try catalog.write(whole: false, { add in try add(product) })
        #expect(summary.unchanged == 1)
    }
}
