import Foundation
import TestFolders
import Testing

@testable import EvdevInput

@Suite struct FolderWatchTests {
    private let root: TemporaryFolder
    private let places: DevicePlaces

    init() throws {
        root = try TemporaryFolder()
        places = DevicePlaces(nodes: root.path("input"), udevData: root.path("data"))
        try FileManager.default.createDirectory(
            atPath: places.udevData, withIntermediateDirectories: false)
    }

    private func makeFolder() throws {
        try FileManager.default.createDirectory(
            atPath: places.nodes, withIntermediateDirectories: false)
    }

    private func makeFile(_ path: String) throws {
        try Data().write(to: URL(filePath: path))
    }

    private func within(_ body: (FolderWatch) throws -> Void) throws {
        try body(FolderWatch(places: places))
    }

    @Test func namesThatComeChangeAndGoAreReported() throws {
        try makeFolder()
        try within { watch in
            #expect(watch.arm())
            let node = places.nodes + "/event3"
            try makeFile(node)
            try FileManager.default.setAttributes([.posixPermissions: 0o660], ofItemAtPath: node)
            try FileManager.default.removeItem(atPath: node)
            // Removing the last link changes the attributes of the file, and is reported as such.
            let changes = watch.changes().filter { $0 != .changed("event3") }
            #expect(changes == [.appeared("event3"), .vanished("event3")])
        }
    }

    @Test func permissionsThatChangeAreReported() throws {
        try makeFolder()
        let node = places.nodes + "/event3"
        try makeFile(node)
        try within { watch in
            #expect(watch.arm())
            try FileManager.default.setAttributes([.posixPermissions: 0o660], ofItemAtPath: node)
            #expect(watch.changes() == [.changed("event3")])
            #expect(watch.changes() == [])
        }
    }

    @Test func aFolderThatIsMissingIsWaitedFor() throws {
        try within { watch in
            #expect(!watch.arm())
            try makeFile(root.path("other"))
            #expect(watch.changes() == [])
            try makeFolder()
            #expect(watch.changes() == [.folderAppeared])
            #expect(watch.arm())
        }
    }

    @Test func aFolderRemovedAndMadeAgainIsWatchedAgain() throws {
        try makeFolder()
        try within { watch in
            #expect(watch.arm())
            try FileManager.default.removeItem(atPath: places.nodes)
            #expect(watch.changes().contains(.folderGone))
            #expect(!watch.arm())
            try makeFolder()
            #expect(watch.changes().contains(.folderAppeared))
            #expect(watch.arm())
            try makeFile(places.nodes + "/event0")
            #expect(watch.changes() == [.appeared("event0")])
        }
    }

    @Test func aFolderMovedAwayIsGone() throws {
        try makeFolder()
        try within { watch in
            #expect(watch.arm())
            let elsewhere = root.path("elsewhere")
            try FileManager.default.moveItem(atPath: places.nodes, toPath: elsewhere)
            #expect(watch.changes().contains(.folderGone))
            #expect(!watch.arm())
            try makeFile(elsewhere + "/event0")
            #expect(watch.changes() == [])
        }
    }

    @Test func onlyTheDatabaseEntriesOfInputDevicesCount() throws {
        try makeFolder()
        try within { watch in
            #expect(watch.arm())
            for name in ["c13:67", "c4:1", "b8:0"] {
                let temporary = places.udevData + "/.#" + name
                try makeFile(temporary)
                let entry = places.udevData + "/" + name
                try FileManager.default.moveItem(atPath: temporary, toPath: entry)
            }
            #expect(watch.changes() == [.databaseChanged])
        }
    }
}
