import Events
import Journal
import Synchronization
import TestFolders
import TestWaiting
import Testing

@testable import Sinks

/// Tests a broker that reports that it is full: `0x97`, quota exceeded.
@Suite(.blocking) struct FullBrokerTests {
    /// The quota of a broker that accepts five events, and more after ``makeRoom()``.
    final class Quota: Sendable {
        private let state = Mutex((taken: 0, hasRoom: false))
        func makeRoom() { state.withLock { $0.hasRoom = true } }
        func answer(_ packet: ScriptedBroker.Packet) -> ScriptedBroker.Answer {
            if packet.isConnect { return (ScriptedBroker.accepted(version: 5), false) }
            guard packet.isPublish else { return ([], false) }
            let isTaken = state.withLock { state in
                let isTaken = state.hasRoom || state.taken < 5
                if isTaken { state.taken += 1 }
                return isTaken
            }
            return (ScriptedBroker.acknowledged(packet, reason: isTaken ? 0 : 0x97), false)
        }
    }

    @Test func itIsSaidOnceHoldsUpNobodyAndGoesOnWhenThereIsRoom() async throws {
        let folder = try TemporaryFolder()
        let journal = try EventJournal(
            opening: JournalSettings(file: folder.path("journal.sqlite")), sinks: ["mqtt", "other"])
        for _ in 0..<100 { journal.append(JournalEntry(Entries.event(journal.nextSequence()))) }
        try await journal.committed(100)
        let quota = Quota()
        let broker = ScriptedBroker { _, _, packet in quota.answer(packet) }
        let settings = MQTTSettings(
            addresses: [try #require(MQTTAddress("mqtt://127.0.0.1:\(broker.port)"))])
        let (ear, other) = (Ear(), SinkRunnerTests.ScriptedOutlet())
        let waits = SinkRunnerTests.Waits()
        let outlets: [(String, any DurableOutlet, Ear)] = [
            (
                "mqtt",
                try MQTTOutlet(
                    settings, security: MQTTSecurity(), register: MQTTRegister("r")), ear
            ),
            ("other", other, Ear()),
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (name, outlet, ear) in outlets {
                let runner = SinkRunner(
                    name: name, outlet: outlet, journal: journal, start: .oldest,
                    filter: EventFilter(), reporter: ear.reporter, clock: waits,
                    now: { EventTime(microsecondsSince1970: 0) })
                group.addTask { await runner.run() }
            }
            // The sink retries the sixth event, and in the meantime the other sink receives all events.
            #expect(await eventually { waits.durations.count > 5 && other.numbers.count == 100 })
            #expect(try await journal.cursor(of: .sink("mqtt"))?.sequence == 5)
            let trouble =
                "mqtt://127.0.0.1:\(broker.port): it refuses an event: quota exceeded (0x97)"
            #expect(ear.notices == [.trouble(trouble)])
            quota.makeRoom()
            #expect(
                try await eventually {
                    try await journal.cursor(of: .sink("mqtt"))?.sequence == 100
                })
            #expect(await eventually { ear.notices == [.trouble(trouble), .well] })
            group.cancelAll()
            try await group.waitForAll()
        }
        #expect(try await journal.deadLetters(of: nil, limit: 1).isEmpty)
        await journal.close()
    }
}
