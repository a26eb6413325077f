import Catalog
import Foundation
import TestFolders
import TestWaiting
import Testing

/// A temporary file system for one test.
private final class Mount {
    let path: String
    private let scratch: TemporaryFolder

    /// Whether this process may mount a file system.
    static let isPossible: Bool = {
        guard let mount = try? Mount(size: "64k") else { return false }
        return FileManager.default.fileExists(atPath: mount.path)
    }()

    init(size: String) throws {
        scratch = try TemporaryFolder()
        path = scratch.path
        let result = try run("mount", "-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path)
        guard result.status == 0 else { throw CocoaError(.fileWriteNoPermission) }
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// Remounts the file system, and retries while it is busy, because a process that another test is starting has
    /// copies of all our descriptors until it runs its own program.
    func remount(_ option: String) throws {
        let limit = ContinuousClock.now + .patience
        var result: (output: String, status: Int32)
        repeat {
            result = try run("mount", "-o", "remount,\(option)", path)
        } while result.output.contains("busy") && ContinuousClock.now < limit
        try #require(result.status == 0, "\(result.output)")
    }

    deinit { _ = try? run("umount", "-l", path) }
}

@Suite(.blocking, .enabled(if: Mount.isPossible, "mounting a tmpfs needs root"))
struct MountedCatalogTests {
    private func table(_ rows: Int) -> String {
        "id,code,name\n" + (1...rows).map { "\($0),c\($0),name \($0)\n" }.joined()
    }

    @Test func aFullDiskLosesNothing() throws {
        let mount = try Mount(size: "1m")
        let path = mount.file("catalog.sqlite")
        let catalog = try CatalogFile(path: path, access: .writing)
        _ = try catalog.take(table(100))
        let before = try catalog.exported()
        let error = #expect(throws: CatalogError.self) {
            try catalog.take(table(50_000))
        }
        #expect(
            error?.description
                == "The disk of the catalog \"\(path)\" is full; the catalog is as it was.")
        #expect(try catalog.exported() == before)
        #expect(try CatalogFile(path: path).exported() == before)
        let summary = try catalog.take(table(101))
        #expect(summary.added == 1 && summary.unchanged == 100)
    }

    @Test func aFullDiskIsNamedWhereThereIsNoRoomForAnEmptyCatalog() throws {
        let mount = try Mount(size: "64k")
        let filler = mount.file("filler")
        _ = FileManager.default.createFile(atPath: filler, contents: Data(count: 64 << 10))
        let path = mount.file("catalog.sqlite")
        #expect(throws: CatalogError.diskFull(path: path)) {
            try CatalogFile(path: path, access: .writing)
        }
    }

    @Test func aReadOnlyFolderServesLookups() throws {
        let mount = try Mount(size: "4m")
        let path = mount.file("cata?log #1%.sqlite")
        try CatalogFile(path: path, access: .writing).take(table(100))
        try mount.remount("ro")
        let catalog = try CatalogFile(path: path)
        #expect(try catalog.match(forText: "c17")?.product.id == "17")
        #expect(try catalog.check().isEmpty)
        #expect(try catalog.exported().utf8.count > 1000)
        #expect(throws: CatalogError.readOnly(path: path)) {
            try CatalogFile(path: path, access: .writing).take(table(1))
        }
    }

    @Test func anImportIsSeenThroughAFolderThatWasReadOnly() throws {
        let mount = try Mount(size: "4m")
        let path = mount.file("catalog.sqlite")
        try CatalogFile(path: path, access: .writing).take(table(100))
        try mount.remount("ro")
        let catalog = try CatalogFile(path: path)
        #expect(try catalog.match(forText: "c101") == nil)
        try mount.remount("rw")
        try CatalogFile(path: path, access: .writing).take(table(2000))
        #expect(try catalog.match(forText: "c1999")?.product.id == "1999")
    }

    @Test func aLogThatWasNotFinishedIsNotIgnored() throws {
        let mount = try Mount(size: "4m")
        let path = mount.file("catalog.sqlite")
        try CatalogFile(path: path, access: .writing).take(table(10))
        let copy = mount.file("copy.sqlite")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        _ = FileManager.default.createFile(atPath: copy + "-wal", contents: Data(count: 5000))
        try mount.remount("ro")
        #expect(throws: CatalogError.unfinishedLog(path: copy)) { try CatalogFile(path: copy) }
    }
}
