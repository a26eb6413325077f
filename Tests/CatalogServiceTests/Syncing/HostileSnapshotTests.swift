import Catalog
import Foundation
import GRDB
import TestFolders
import Testing

@testable import CatalogService

/// Files that somebody else has made, and that are no sound catalogs.
@Suite(.timeLimit(.minutes(10))) struct HostileSnapshotTests {
    private let scratch: TemporaryFolder
    private let file: String
    private let revision: CatalogRevision

    init() throws {
        scratch = try TemporaryFolder()
        let shop = try EmbeddedCatalog(path: scratch.path("shop.sqlite"), access: .writing)
        try shop.take("id,code,name,price,currency\n1,C1,one,1.00,EUR\n2,C2,two,2.00,EUR\n")
        file = scratch.path("file.sqlite")
        revision = try shop.writeSnapshot(to: file)
    }

    private func problem(after sql: String) throws -> SnapshotError? {
        let queue = try DatabaseQueue(path: file)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA foreign_keys = 0; " + sql)
        }
        try queue.close()
        do {
            try SnapshotCheck.check(file, is: revision)
            return nil
        } catch {
            return error
        }
    }

    @Test func aSoundOneIsTaken() throws {
        #expect(try problem(after: "VACUUM") == nil)
    }

    @Test(arguments: [
        "CREATE TRIGGER t AFTER INSERT ON synced BEGIN DELETE FROM product; END",
        "CREATE VIEW v AS SELECT * FROM product", "CREATE TABLE t (x)", "DROP INDEX code_key",
        "DROP TABLE removal", "CREATE INDEX i ON product (name)",
        "ALTER TABLE product ADD COLUMN x INTEGER GENERATED ALWAYS AS (number / 0)",
    ])
    func otherTablesAreRefused(sql: String) throws {
        #expect(try problem(after: sql) == .foreignTables)
    }

    @Test(arguments: [
        "", "1.00 EUR - -", "1.00 EUR x 7", "1.00 XYZZY - 7", "1.00 EUR 7 5", "1.00 EUR - 7\n\n",
    ])
    func pricesForATimeThatAreNoneAreRefused(text: String) throws {
        #expect(
            try problem(after: "UPDATE product SET dated_prices = '\(text)' WHERE id = '2'")
                == .impossible("the product \"2\""))
    }

    @Test func pricesForATimeAreTaken() throws {
        #expect(try problem(after: "UPDATE product SET dated_prices = '1.00 EUR - 7'") == nil)
    }

    @Test func anotherProgramsFileIsRefused() throws {
        #expect(try problem(after: "PRAGMA application_id = 7") == .notACatalog)
        #expect(try problem(after: "PRAGMA user_version = 1") == .notACatalog)
    }

    @Test func theFileOfANewerKeywedgeIsRefused() throws {
        let found = try problem(after: "PRAGMA user_version = 99")
        guard case .newerSchema(99, _) = found else {
            Issue.record("\(String(describing: found))")
            return
        }
    }

    @Test(arguments: [
        "UPDATE product SET number = 9223372036854775807 WHERE id = '1'",
        "UPDATE product SET number = -1 WHERE id = '1'",
        "UPDATE product SET id = '' WHERE id = '1'",
        "UPDATE product SET price = 'free' WHERE id = '1'",
        "UPDATE product SET currency = 'XYZ' WHERE id = '1'",
        "UPDATE product SET currency = NULL WHERE id = '1'",
        "UPDATE product SET revision = 77 WHERE id = '1'",
        "INSERT INTO upstream VALUES (1, 'http://evil', '1-x', 1)",
        "INSERT INTO synced VALUES (1, 1)",
        "INSERT INTO removal VALUES (9, 'x', 9223372036854775807, 1)",
        "INSERT INTO removal VALUES (9, 'x', 1, 0)", "INSERT INTO scope VALUES (1, 'a')",
        "INSERT INTO offer VALUES (1, 1, 1, NULL, NULL, NULL, 0)",
        "UPDATE product SET listed = 0 WHERE id = '1'",
        "UPDATE product SET listed = NULL WHERE id = '1'",
        "UPDATE product SET delisted = 1 WHERE id = '1'",
        "INSERT INTO revision VALUES (0, '0000000000000000')",
    ])
    func valuesThatNoCatalogHasAreRefused(sql: String) throws {
        let found = try problem(after: sql)
        guard case .impossible = found else {
            Issue.record("\(String(describing: found))")
            return
        }
    }

    @Test func anotherRevisionIsRefused() throws {
        let found = try problem(after: "UPDATE revision SET tag = '0000000000000000'")
        guard case .otherRevision = found else {
            Issue.record("\(String(describing: found))")
            return
        }
    }

    @Test func whatIsDamagedIsRefused() throws {
        var bytes = Array(try Data(contentsOf: URL(filePath: file)))
        for index in bytes.indices.dropFirst(4096).prefix(2000) { bytes[index] ^= 0x5A }
        try Data(bytes).write(to: URL(filePath: file))
        #expect(throws: SnapshotError.self) { try SnapshotCheck.check(file, is: revision) }
        try Data("no database".utf8).write(to: URL(filePath: file))
        #expect(throws: SnapshotError.self) { try SnapshotCheck.check(file, is: revision) }
    }

    @Test func aBombIsNotUnpacked() throws {
        let (plain, packed, out) = (scratch.path("0"), scratch.path("0.gz"), scratch.path("out"))
        try Data(count: 8 << 20).write(to: URL(filePath: plain))
        let files = [plain, packed, out].map { (path: String) in open(path, O_RDWR | O_CREAT, 0o600)
        }
        defer { files.forEach { close($0) } }
        try GzipWriter.compress(files[0], into: files[1], comment: "zeros")
        lseek(files[1], 0, SEEK_SET)
        #expect(throws: GzipReader.Failure.tooLarge) {
            try GzipReader.decompress(files[1], into: files[2], limit: 1 << 20)
        }
        #expect(try Data(contentsOf: URL(filePath: out)).count <= 1 << 20)
    }

    @Test func whatEndsTooEarlyIsDamaged() throws {
        let (packed, out) = (scratch.path("1.gz"), scratch.path("out"))
        let files = [file, packed, out].map { (path: String) in open(path, O_RDWR | O_CREAT, 0o600)
        }
        defer { files.forEach { close($0) } }
        try GzipWriter.compress(files[0], into: files[1], comment: "cut")
        ftruncate(files[1], lseek(files[1], 0, SEEK_END) - 9)
        lseek(files[1], 0, SEEK_SET)
        #expect(throws: GzipReader.Failure.damaged) {
            try GzipReader.decompress(files[1], into: files[2], limit: 1 << 30)
        }
    }
}
