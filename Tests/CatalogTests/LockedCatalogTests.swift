import Catalog
import TestFolders
import TestWaiting
import Testing

/// Tests imports and lookups while another process locks the file.
@Suite(.blocking) struct LockedCatalogTests {
    private let scratch: TemporaryFolder
    private let path: String

    init() throws {
        scratch = try TemporaryFolder()
        path = scratch.path("catalog.sqlite")
        try CatalogFile(path: path, access: .writing)
            .take("id,code\n1,a\n")
    }

    /// Runs `body` while an sqlite3 process is in a transaction on the file.
    private func whileLocked(_ sql: String, _ body: () throws -> Void) throws {
        let lock = try FileLock(path, sql)
        defer { lock.release() }
        try body()
    }

    @Test func anImportSaysThatAnotherProcessIsWriting() throws {
        try whileLocked("BEGIN IMMEDIATE;") {
            let catalog = try CatalogFile(path: path, access: .writing, busyTimeout: .zero)
            let error = #expect(throws: CatalogError.self) {
                try catalog.take("id,code\n2,b\n")
            }
            #expect(
                error?.description
                    == "The catalog \"\(path)\" is locked by another process that writes to it; "
                    + "expected it free.")
        }
        #expect(try CatalogFile(path: path).count() == 1)
    }

    @Test func lookupsGoOnWhileAnotherProcessWrites() throws {
        try whileLocked("BEGIN IMMEDIATE; DELETE FROM code;") {
            let catalog = try CatalogFile(path: path, busyTimeout: .zero)
            #expect(try catalog.match(forText: "a")?.product.id == "1")
        }
    }

    @Test func aFileLockedForAllIsNamed() throws {
        try whileLocked("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; DELETE FROM code;") {
            #expect(throws: CatalogError.locked(path: path)) {
                try CatalogFile(path: path, busyTimeout: .zero)
            }
        }
        #expect(try CatalogFile(path: path).match(forText: "a") != nil)
    }
}
