import Journal
import TestWaiting
import Testing

@testable import Sinks

/// Tests an outlet with brokers whose answers the tests script.
@Suite(.blocking) struct MQTTConnectionTests {
    private static func outlet(
        to broker: ScriptedBroker, _ change: (inout MQTTSettings) -> Void = { _ in },
        _ ear: Ear = Ear()
    ) throws -> MQTTOutlet {
        var settings = MQTTSettings(
            addresses: [try #require(MQTTAddress("mqtt://127.0.0.1:\(broker.port)"))],
            topic: try TopicTemplate("t/{type}"), clientID: "keywedge-test")
        change(&settings)
        let outlet = try MQTTOutlet(
            settings, security: MQTTSecurity(),
            register: MQTTRegister("register-3", scanners: ["counter"]))
        try outlet.begin(ear.reporter)
        return outlet
    }

    /// The number of messages received over the first connection.
    private static func sent(_ broker: ScriptedBroker) -> Int? {
        broker.connections.first?.count(where: \.isPublish)
    }

    /// A broker that knows only 3.1.1 answers in that version, in version 5, or not at all.
    @Test(arguments: [[0x20, 2, 0, 1], [0x20, 3, 0, 0x84, 0], []] as [[UInt8]])
    func aBrokerThatDoesNotKnowVersion5IsSpokenToInAnOlderOne(answer: [UInt8]) async throws {
        let broker = ScriptedBroker { _, _, packet in
            if packet.isConnect, packet.version == 5 { return (answer, true) }
            if packet.isConnect { return (ScriptedBroker.accepted(version: 4), false) }
            return (packet.isPublish ? ScriptedBroker.acknowledged(packet) : [], false)
        }
        let ear = Ear()
        let outlet = try Self.outlet(to: broker, { _ in }, ear)
        #expect(await outlet.take(Entries.scans(3)) { _, _ in } == .all)
        #expect(broker.connections.map { $0.first?.version } == [5, 4])
        #expect(ear.notices == [])
        await outlet.end()
    }

    @Test func noMoreMessagesAreOnTheirWayThanTheBrokerTakes() async throws {
        let broker = ScriptedBroker { _, number, packet in
            if packet.isConnect {
                return (ScriptedBroker.accepted(version: 5, receiveMaximum: 3), false)
            }
            // Acknowledges only the first four messages, so the next three stay in flight.
            return (number <= 4 ? ScriptedBroker.acknowledged(packet) : [], false)
        }
        let outlet = try Self.outlet(to: broker)
        async let outcome = outlet.take(Entries.scans(20)) { _, _ in }
        #expect(await eventually { Self.sent(broker) == 7 })
        // Other messages would arrive at once, so a short wait is enough to notice them.
        try await Task.sleep(for: .milliseconds(200))
        #expect(Self.sent(broker) == 7)
        await outlet.end()
        #expect(await outcome == .cancelled)
    }

    @Test func atMostTwentyMessagesAreOnTheirWay() async throws {
        let broker = ScriptedBroker { _, _, packet in
            (packet.isConnect ? ScriptedBroker.accepted(version: 5) : [], false)
        }
        let outlet = try Self.outlet(to: broker)
        async let outcome = outlet.take(Entries.scans(100)) { _, _ in }
        #expect(await eventually { Self.sent(broker) == 20 })
        try await Task.sleep(for: .milliseconds(200))
        #expect(Self.sent(broker) == 20)
        await outlet.end()
        #expect(await outcome == .cancelled)
    }

    @Test func aConnectionThatBreaksCostsNoMessageAndSendsNoneTwiceOverTheNext() async throws {
        // Each of the first four connections ends after seven messages, of which five are acknowledged.
        let broker = ScriptedBroker { connection, number, packet in
            if packet.isConnect { return (ScriptedBroker.accepted(version: 5), false) }
            guard packet.isPublish else { return ([], false) }
            if connection < 4, number > 5 { return ([], number == 7) }
            return (ScriptedBroker.acknowledged(packet), false)
        }
        let settled = Settled()
        let outlet = try Self.outlet(to: broker)
        let entries = Entries.scans(40)
        #expect(await outlet.take(entries, settled: settled.note) == .all)
        #expect(settled.indices == Array(entries.indices))
        let sent = broker.connections.map { $0.filter(\.isPublish) }
        #expect(sent.joined().allSatisfy { !$0.isDuplicate })
        for (connection, packets) in sent.enumerated() {
            // Each connection continues after the events that earlier connections acknowledged.
            let expected = entries[(5 * connection)...].prefix(packets.count).map(\.line)
            #expect(packets.count == expected.count)
            let lines = zip(packets, expected).map { Array($0.body.suffix($1.count)) }
            #expect(
                lines.map { String(decoding: $0, as: UTF8.self) }
                    == expected.map { String(decoding: $0, as: UTF8.self) })
        }
        await outlet.end()
    }

    @Test func whatTheBrokerRefusesForItsContentIsADeadLetterAndTheRestGoesOn() async throws {
        let broker = ScriptedBroker { _, number, packet in
            if packet.isConnect { return (ScriptedBroker.accepted(version: 5), false) }
            let reason: UInt8 = number == 2 ? 0x99 : number == 4 ? 0x95 : 0
            return (
                packet.isPublish ? ScriptedBroker.acknowledged(packet, reason: reason) : [], false
            )
        }
        let settled = Settled()
        let outlet = try Self.outlet(to: broker)
        #expect(await outlet.take(Entries.scans(5), settled: settled.note) == .all)
        #expect(
            settled.verdicts == [
                .taken, .refused("payload format invalid (0x99)"), .taken,
                .refused("packet too large (0x95)"), .taken,
            ])
        await outlet.end()
    }

    @Test func whatTheBrokerRefusesForNowIsGivenAgain() async throws {
        let broker = ScriptedBroker { _, number, packet in
            if packet.isConnect { return (ScriptedBroker.accepted(version: 5), false) }
            let reason: UInt8 = number == 3 ? 0x97 : 0
            return (
                packet.isPublish ? ScriptedBroker.acknowledged(packet, reason: reason) : [], false
            )
        }
        let settled = Settled()
        let outlet = try Self.outlet(to: broker)
        let place = "mqtt://127.0.0.1:\(broker.port)"
        #expect(
            await outlet.take(Entries.scans(5), settled: settled.note)
                == .later("\(place): it refuses an event: quota exceeded (0x97)"))
        #expect(settled.indices == [0, 1])
        await outlet.end()
    }

    /// The journal replaces the broker's session: a run begins with a clean start, and its later connections resume the
    /// session only because of its will.
    @Test func aRunBeginsWithACleanStartAndItsWillWaitsOverItsConnections() async throws {
        let broker = ScriptedBroker { connection, _, packet in
            if packet.isConnect { return (ScriptedBroker.accepted(version: 5), false) }
            guard packet.isPublish else { return ([], false) }
            return (ScriptedBroker.acknowledged(packet), connection < 2)
        }
        let outlet = try Self.outlet(to: broker) { $0.presence = .init(willDelay: .seconds(45)) }
        #expect(await outlet.take(Entries.scans(3)) { _, _ in } == .all)
        let connects = broker.connections.compactMap(\.first)
        #expect(connects.map(\.isCleanStart) == [true, false, false])
        #expect(connects.map(\.sessionExpiry) == [45, 45, 45])
        #expect(connects.map(\.willDelay) == [45, 45, 45])
        await outlet.end()
    }

    /// Without a will, the outlet never resumes a session.
    @Test(arguments: [MQTTSettings.Version.v5, .v311])
    func withoutPresenceEachConnectionIsACleanStart(version: MQTTSettings.Version) async throws {
        let broker = ScriptedBroker { connection, _, packet in
            if packet.isConnect {
                return (ScriptedBroker.accepted(version: packet.version), false)
            }
            return (packet.isPublish ? ScriptedBroker.acknowledged(packet) : [], connection == 0)
        }
        let outlet = try Self.outlet(to: broker) { $0.version = version }
        #expect(await outlet.take(Entries.scans(3)) { _, _ in } == .all)
        let connects = broker.connections.compactMap(\.first)
        #expect(connects.map(\.isCleanStart) == [true, true])
        if version == .v5 { #expect(connects.allSatisfy { $0.sessionExpiry == nil }) }
        await outlet.end()
    }

    /// The outlet starts with a random address; two of the three lead to a broker that is not running.
    @Test func whereOneBrokerIsAwayTheNextTakesTheEvents() async throws {
        let broker = ScriptedBroker { _, _, packet in
            if packet.isConnect { return (ScriptedBroker.accepted(version: 5), false) }
            return (packet.isPublish ? ScriptedBroker.acknowledged(packet) : [], false)
        }
        let dead = try #require(MQTTAddress("mqtt://127.0.0.1:\(Loopback.freePort())"))
        for _ in 0..<6 {
            let ear = Ear()
            let outlet = try Self.outlet(
                to: broker, { $0.addresses = [dead] + $0.addresses + [dead] }, ear)
            #expect(await outlet.take(Entries.scans(3)) { _, _ in } == .all)
            let away = "\(dead): Connection refused"
            #expect(ear.troubles.allSatisfy { $0.hasPrefix(away) })
            #expect(await eventually { ear.troubles.isEmpty || ear.notices.last == .well })
            await outlet.end()
        }
    }

    @Test func aBrokerThatSaysThatAnotherTookOurPlaceIsQuoted() async throws {
        let broker = ScriptedBroker { connection, number, packet in
            if packet.isConnect { return (ScriptedBroker.accepted(version: 5), false) }
            guard packet.isPublish else { return ([], false) }
            let acknowledged = ScriptedBroker.acknowledged(packet)
            guard connection == 0, number == 2 else { return (acknowledged, false) }
            return (acknowledged + [0xE0, 2, 0x8E, 0], true)
        }
        let ear = Ear()
        let outlet = try Self.outlet(to: broker, { _ in }, ear)
        #expect(await outlet.take(Entries.scans(5)) { _, _ in } == .all)
        #expect(
            ear.troubles == [
                "mqtt://127.0.0.1:\(broker.port): another client has connected as "
                    + "\"keywedge-test\" and taken this one's place (session taken over, 0x8E); "
                    + "no two may have the same register name or client_id"
            ])
        await outlet.end()
    }

    @Test func whatIsRefusedAtTheDoorIsSaidWithItsReason() async throws {
        let broker = ScriptedBroker { _, _, _ in ([0x20, 3, 0, 0x8A, 0], true) }
        let ear = Ear()
        let outlet = try Self.outlet(to: broker, { $0.version = .v5 }, ear)
        #expect(await eventually { !ear.troubles.isEmpty })
        #expect(
            ear.troubles == [
                "mqtt://127.0.0.1:\(broker.port): it refuses the connection: banned (0x8A)"
            ])
        await outlet.end()
    }
}
