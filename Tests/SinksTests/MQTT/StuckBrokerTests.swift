import Events
import Foundation
import Journal
import TestFolders
import TestWaiting
import Testing

@testable import Sinks

/// Tests that nothing waits for brokers that do not answer.
@Suite(.blocking) struct StuckBrokerTests {
    private static func settings(_ port: Int) throws -> MQTTSettings {
        MQTTSettings(
            addresses: [try #require(MQTTAddress("mqtt://127.0.0.1:\(port)"))],
            clientID: "keywedge-test")
    }

    private static func outlet(to port: Int) throws -> MQTTOutlet {
        let outlet = try MQTTOutlet(
            try settings(port), security: MQTTSecurity(), register: MQTTRegister("r"))
        try outlet.begin(Ear().reporter)
        return outlet
    }

    /// The first port accepts no connection; the second accepts it but never answers.
    @Test(arguments: [true, false]) func aStopDoesNotWait(isFull: Bool) async throws {
        let port = try SilentPort(isFull: isFull)
        let outlet = try Self.outlet(to: port.number)
        async let outcome = outlet.take(Entries.scans(1)) { _, _ in }
        #expect(try await eventually { try port.hasVisitor })
        await outlet.end()
        #expect(await outcome == .cancelled)
        #expect(try !isFull || port.hasVisitor, "it waited until the kernel gave up")
    }

    @Test func aConnectionThatWasAbandonedSendsNothingWhenItOpensLater() async throws {
        let port = try SilentPort(isFull: true)
        let outlet = try Self.outlet(to: port.number)
        #expect(try await eventually { try port.hasVisitor })
        await outlet.end()
        // The kernel tries to connect again after some seconds, when the port has room.
        #expect(try port.bytesOfVisitor() == [])
    }

    /// The runner ends a delivery before it moves its cursor, and before a reload replaces it.
    @Test func movingTheCursorDoesNotWait() async throws {
        let port = try SilentPort(isFull: true)
        let folder = try TemporaryFolder()
        let journal = try EventJournal(
            opening: JournalSettings(file: folder.path("journal.sqlite")), sinks: ["mqtt"])
        for _ in 0..<3 { journal.append(JournalEntry(Entries.event(journal.nextSequence()))) }
        try await journal.committed(3)
        let settings = try Self.settings(port.number)
        let runner = SinkRunner(
            name: "mqtt",
            outlet: try MQTTOutlet(settings, security: MQTTSecurity(), register: MQTTRegister("r")),
            journal: journal, start: .oldest, filter: EventFilter(), reporter: Ear().reporter,
            clock: SinkRunnerTests.Waits(), now: { EventTime(microsecondsSince1970: 0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await runner.run() }
            #expect(try await eventually { try port.hasVisitor })
            let target = Cursor(epoch: journal.end.epoch, sequence: 2)
            #expect(try await journal.requests.move("mqtt", to: target))
            #expect(try await journal.cursor(of: .sink("mqtt")) == target)
            #expect(try port.hasVisitor, "it waited until the kernel gave up")
            group.cancelAll()
            try await group.waitForAll()
        }
        await journal.close()
    }
}
