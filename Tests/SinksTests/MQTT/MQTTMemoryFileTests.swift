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
        let file = MQTTMemoryFile(path: try folder.write(text, to: "memory.json"))
        #expect(throws: (any Error).self) { try file.read() }
        let broker = ScriptedBroker { _, _, packet in
            if packet.isConnect { return (ScriptedBroker.accepted(version: 5), false) }
            return (packet.isPublish ? ScriptedBroker.acknowledged(packet) : [], false)
        }
        var settings = MQTTSettings(
            addresses: [try #require(MQTTAddress("mqtt://127.0.0.1:\(broker.port)"))])
        settings.discoveryPrefix = "homeassistant"
        let ear = Ear()
        let outlet = try MQTTOutlet(
            settings, security: MQTTSecurity(),
            register: MQTTRegister("r", scanners: ["counter"]), memory: file.path)
        try outlet.begin(ear.reporter)
        // The outlet writes the file before it announces the entity.
        #expect(await eventually { broker.connections.joined().contains(where: \.isPublish) })
        #expect(try file.read() == memory)
        #expect(ear.warnings.count == 1)
        await outlet.end()
    }
}
