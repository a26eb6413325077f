import Catalog
import Foundation
import TestFolders
import TestTexts
import Testing

@Suite struct ChangesTests {
    private let catalog: EmbeddedCatalog

    init() throws {
        catalog = try EmbeddedCatalog.inMemory()
        try catalog.take("id,name\n1,one\n2,two\n3,three\n4,four\n5,five\n")
    }

    @Test func aReaderThatHasNothingGetsEverythingPageByPage() throws {
        var reader = Reader()
        try reader.read(catalog)
        #expect(
            reader.names == ["1": "one", "2": "two", "3": "three", "4": "four", "5": "five"])
        #expect(reader.pages == 3)
    }

    @Test func onlyWhatHasChangedIsTold() throws {
        var reader = Reader()
        try reader.read(catalog)
        try catalog.take("id,name\n2,zwei\n3,three\n6,six\n")
        guard case .page(let page) = try catalog.changes(since: reader.cursor, limit: 100) else {
            Issue.record("the revision is not known")
            return
        }
        #expect(page.changed == [Product(id: "2", name: "zwei"), Product(id: "6", name: "six")])
        #expect(page.removed == [])
        #expect(page.next == nil)
        #expect(page.revision == (try catalog.revision()))
    }

    @Test func anImportThatChangesNothingLeavesTheRevision() throws {
        let before = try catalog.revision()
        try catalog.take("id,name\n2,two\n3,three\n")
        #expect(try catalog.revision() == before)
        #expect(try catalog.remove(ids: ["none", "", "1\u{0}"]) == 0)
        #expect(try catalog.revision() == before)
        try catalog.take("id,name\n2,zwei\n")
        #expect(try catalog.revision() != before)
    }

    @Test func anImportThatFailsLeavesTheRevision() throws {
        let before = try catalog.revision()
        #expect(throws: ImportError.self) { try catalog.take("id,name\n2,zwei\n\"\n") }
        #expect(try catalog.revision() == before)
    }

    @Test func aRemovedProductIsToldUntilItIsThereAgain() throws {
        var reader = Reader()
        try reader.read(catalog)
        #expect(try catalog.remove(ids: ["5", "1", "9"]) == 2)
        var second = reader
        try second.read(catalog)
        #expect(second.names == ["2": "two", "3": "three", "4": "four"])
        try catalog.take("id,name\n5,fünf\n")
        for var reader in [reader, second] {
            try reader.read(catalog)
            #expect(reader.names == ["2": "two", "3": "three", "4": "four", "5": "fünf"])
            #expect(reader.hadToStartAnew == 0)
        }
    }

    @Test func whatIsImportedWhileItIsReadIsNotMissed() throws {
        var reader = Reader()
        try reader.read(catalog, limit: 1) { round in
            // Behind, at, and ahead of the place where the reader is.
            try catalog.take("id,name\n1,one \(round)\n\(round + 2),changed \(round)\n")
            if round == 2 { try catalog.remove(ids: ["2"]) }
            if round == 5 { throw CancellationError() }
        } catching: {
            $0 is CancellationError
        }
        try reader.read(catalog, limit: 1)
        #expect(reader.names == (try catalog.names()))
        #expect(reader.hadToStartAnew == 0)
    }

    @Test(arguments: 0..<20)
    func anyReaderEndsWithWhatTheCatalogHas(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var readers = [Reader](repeating: Reader(), count: 3)
        for step in 0..<60 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let ids = (0..<5).map { _ in "\(Int.random(in: 1...30, using: &random))" }
                try catalog.remove(ids: ids)
            case 1:
                let ids = Set((0..<8).map { _ in Int.random(in: 1...30, using: &random) })
                try catalog.take("id,name\n" + ids.map { "\($0),\(step)\n" }.joined())
            default:
                let index = Int.random(in: 0..<3, using: &random)
                try readers[index].read(catalog, limit: Int.random(in: 1...7, using: &random))
                #expect(readers[index].names == (try catalog.names()))
            }
        }
        // A catalog that was emptied and filled anew cannot tell what has changed since before.
        #expect(readers.allSatisfy { $0.hadToStartAnew <= 1 })
    }

    @Test func aCatalogFilledAnewTellsItsReadersToStartAnew() throws {
        var reader = Reader()
        try reader.read(catalog)
        try catalog.remove(ids: ["1", "2", "3", "4", "5"])
        try catalog.take("id,name\n7,seven\n")
        try reader.read(catalog)
        #expect(reader.names == ["7": "seven"])
        #expect(reader.hadToStartAnew == 1)
    }

    @Test func aCopyThatWentItsOwnWayDoesNotKnowTheRevision() throws {
        let scratch = try TemporaryFolder()
        let (path, copy) = (scratch.path("a.sqlite"), scratch.path("b.sqlite"))
        let original = try EmbeddedCatalog(path: path, access: .writing)
        try original.take("id,name\n1,one\n")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        try original.take("id,name\n1,uno\n")
        var reader = Reader()
        try reader.read(original)

        let other = try EmbeddedCatalog(path: copy, access: .writing)
        try other.take("id,name\n2,two\n")
        #expect(reader.names == ["1": "uno"])
        try reader.read(other)
        #expect(reader.names == ["1": "one", "2": "two"])
        #expect(reader.hadToStartAnew == 1)
    }

    @Test func aPageEndsWhereItBecomesTooLarge() throws {
        let long = String(repeating: "x", count: 1_000_000)
        let rows = (10..<30).map { "\($0),\(long)\n" }.joined()
        try catalog.take("id,name\n" + rows)
        var reader = Reader()
        try reader.read(catalog, limit: 1000)
        #expect(reader.names == (try catalog.names()))
        #expect(reader.pages == 4)
    }
}

extension Reader {
    /// Takes changes until something is thrown that is expected.
    fileprivate mutating func read(
        _ catalog: EmbeddedCatalog, limit: Int, between: (Int) throws -> Void,
        catching isExpected: (any Error) -> Bool
    ) throws {
        do {
            try read(catalog, limit: limit, between: between)
        } catch  where isExpected(error) {}
    }
}
