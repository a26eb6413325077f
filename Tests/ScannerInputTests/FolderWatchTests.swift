import Foundation
import TestFolders
import Testing

@testable import ScannerInput

@Suite struct FolderWatchTests {
    private let root: TemporaryFolder
    private let places: DevicePlaces

    init() throws {
        root = try TemporaryFolder()
        var places = DevicePlaces()
        places.nodes = root.path("input")
        places.devices = root.path("dev")
        places.udevData = root.path("data")
        self.places = places
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

    private func watching(_ body: (FolderWatch) throws -> Void) throws {
        try body(FolderWatch(places: places))
    }

    @Test func nodesThatAppearAndVanishAreReported() throws {
        try makeFolder()
        try watching { watch in
            #expect(watch.hasNodes)
            try makeFile(places.nodes + "/event3")
            #expect(Set(watch.changes()) == [.node(places.nodes + "/event3")])
            try FileManager.default.removeItem(atPath: places.nodes + "/event3")
            #expect(Set(watch.changes()) == [.node(places.nodes + "/event3")])
        }
    }

    @Test func permissionsThatChangeAreReported() throws {
        try makeFolder()
        let node = places.nodes + "/event3"
        try makeFile(node)
        try watching { watch in
            try FileManager.default.setAttributes([.posixPermissions: 0o660], ofItemAtPath: node)
            #expect(watch.changes() == [.node(places.nodes + "/event3")])
            #expect(watch.changes() == [])
        }
    }

    @Test func aMissingFolderIsFoundWhenItAppears() throws {
        try watching { watch in
            #expect(!watch.hasNodes)
            try makeFile(root.path("other"))
            #expect(watch.changes() == [])
            try makeFolder()
            #expect(watch.changes() == [.everything])
            #expect(watch.hasNodes)
        }
    }

    @Test func aFolderRemovedAndMadeAgainIsWatchedAgain() throws {
        try makeFolder()
        try watching { watch in
            try FileManager.default.removeItem(atPath: places.nodes)
            #expect(watch.changes().contains(.everything))
            #expect(!watch.hasNodes)
            try makeFolder()
            #expect(watch.changes().contains(.everything))
            try makeFile(places.nodes + "/event0")
            #expect(Set(watch.changes()) == [.node(places.nodes + "/event0")])
        }
    }

    @Test func aFolderMovedAwayIsGone() throws {
        try makeFolder()
        try watching { watch in
            let elsewhere = root.path("elsewhere")
            try FileManager.default.moveItem(atPath: places.nodes, toPath: elsewhere)
            #expect(watch.changes().contains(.everything))
            #expect(!watch.hasNodes)
            try makeFile(elsewhere + "/event0")
            #expect(watch.changes() == [])
        }
    }

    @Test func onlyTheDatabaseEntriesOfCharacterDevicesCount() throws {
        try makeFolder()
        try watching { watch in
            for name in ["c13:67", "b8:0", "n2"] { try write(name) }
            #expect(watch.changes() == [.everything])
        }
    }

    /// Writes an entry of the database under a temporary name and renames it, as udev does.
    private func write(_ name: String) throws {
        let temporary = places.udevData + "/.#" + name
        try makeFile(temporary)
        try FileManager.default.moveItem(atPath: temporary, toPath: places.udevData + "/" + name)
    }

    @Test func aDatabaseThatAppearsLateOrIsReplacedIsWatched() throws {
        try makeFolder()
        let parent = root.path("run/udev")
        var late = DevicePlaces()
        late.nodes = places.nodes
        late.udevData = parent + "/data"
        let watch = try FolderWatch(places: late)
        for _ in 0..<3 {
            try FileManager.default.createDirectory(
                atPath: late.udevData, withIntermediateDirectories: true)
            #expect(watch.changes().contains(.everything))
            try makeFile(late.udevData + "/new")
            try FileManager.default.moveItem(
                atPath: late.udevData + "/new", toPath: late.udevData + "/c13:67")
            #expect(watch.changes() == [.everything])
            try FileManager.default.removeItem(atPath: root.path("run"))
            #expect(watch.changes().contains(.everything))
        }
    }

    @Test func moreChangesThanTheKernelQueuesMeanEverything() throws {
        try makeFolder()
        try watching { watch in
            // By default, the kernel queues 16,384 changes.
            for number in 0..<10_000 {
                let path = places.nodes + "/x\(number % 7)"
                try makeFile(path)
                unlink(path)
            }
            #expect(watch.changes().contains(.everything))
            try makeFile(places.nodes + "/event0")
            #expect(Set(watch.changes()) == [.node(places.nodes + "/event0")])
        }
    }

    @Test func nodesBesideTheEventNodesAndPortsAreReported() throws {
        try makeFolder()
        let (devices, links) = (places.devices, root.path("serial/by-id"))
        try watching { watch in
            watch.watch(ports: [links + "/scanner"])
            try FileManager.default.createDirectory(
                atPath: devices, withIntermediateDirectories: false)
            #expect(watch.changes().contains(.everything))
            try makeFile(devices + "/hidraw0")
            #expect(Set(watch.changes()) == [.node(devices + "/hidraw0")])
            try FileManager.default.createDirectory(
                atPath: links, withIntermediateDirectories: true)
            #expect(watch.changes().contains(.everything))
            try makeFile(links + "/scanner")
            #expect(Set(watch.changes()).contains(.node(links + "/scanner")))
        }
    }
}
