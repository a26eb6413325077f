import Catalog
import Foundation
import TestFolders
import Testing

/// Another process holds the file.
@Suite struct LockedCatalogTests {
    private let scratch: TemporaryFolder
    private let path: String

    init() throws {
        scratch = try TemporaryFolder()
        path = scratch.path("catalog.sqlite")
        try CatalogFile(path: path, access: .writing)
            .importCSV(bytes: Array("id,code\n1,a\n".utf8), name: "x.csv")
    }

    /// Runs `body` while an sqlite3 process is in a transaction on the file.
    private func whileLocked(_ sql: String, _ body: () throws -> Void) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["sqlite3", path]
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("\(sql)\n.print locked\n".utf8))
        var text = ""
        while !text.contains("locked\n") {
            let data = output.fileHandleForReading.availableData
            try #require(!data.isEmpty)
            text += String(decoding: data, as: UTF8.self)
        }
        try body()
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    @Test func anImportSaysThatAnotherProcessIsWriting() throws {
        try whileLocked("BEGIN IMMEDIATE;") {
            let catalog = try CatalogFile(path: path, access: .writing, busyTimeout: .zero)
            let error = #expect(throws: CatalogError.self) {
                try catalog.importCSV(bytes: Array("id,code\n2,b\n".utf8), name: "x")
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
