import Foundation
import TestFolders
import Testing

@testable import Sinks

struct MQTTMemoryFileTests {
    /// A memory that contains an entity.
    private var memory: MQTTMemory {
        var drive = SessionDrive(register: MQTTRegister("r", scanners: ["counter"])) {
            $0.discoveryPrefix = "homeassistant"
        }
        _ = drive.connect()
        return drive.remembered
    }

    @Test func whatIsWrittenIsReadBackAndForNobodyElse() throws {
        let folder = try TemporaryFolder()
        let file = MQTTMemoryFile(path: folder.path("memory.json"))
        #expect(try file.read() == MQTTMemory())
        try file.write(memory)
        #expect(try file.read() == memory)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test(arguments: ["", "{", "[]", "{\"entities\": 3}"])
    func aDamagedFileStopsNoSinkIsReportedAndReplaced(text: String) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(text, to: "memory.json")
        #expect(throws: (any Error).self) { try MQTTMemoryFile(path: path).read() }
        let ear = Ear()
        let outlet = try MQTTOutlet(
            MQTTSettings(addresses: [.localhost]), security: MQTTSecurity(),
            register: MQTTRegister("r"), memory: path)
        try outlet.begin(ear.reporter)
        #expect(await eventually { ear.warnings.count == 1 })
        await outlet.end()
        try MQTTMemoryFile(path: path).write(memory)
        #expect(try MQTTMemoryFile(path: path).read() == memory)
    }
}
