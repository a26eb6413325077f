import Events
import Foundation
import Journal
import KeywedgeTestKit
import TestFolders
import TestWaiting
import Testing
import WireText

@testable import Sinks

/// Tests the outlet with a real Mosquitto.
@Suite(
    .blocking, .serialized, .enabled(if: Broker.isThere, "needs mosquitto and mosquitto-clients"))
struct MQTTBrokerTests {
    private static func outlet(
        _ settings: MQTTSettings, security: MQTTSecurity = MQTTSecurity(), _ ear: Ear
    ) throws -> MQTTOutlet {
        let outlet = try MQTTOutlet(
            settings, security: security,
            register: MQTTRegister("register-3", scanners: ["counter"]))
        try outlet.begin(ear.reporter)
        return outlet
    }

    @Test(arguments: [MQTTSettings.Version.v5, .v311])
    func hostileContentComesBackByteForByteAndNeverAsATopic(
        version: MQTTSettings.Version
    ) async throws {
        let broker = try Broker()
        let subscriber = try await broker.subscriber()
        var settings = try broker.settings()
        settings.version = version
        let ear = Ear()
        let settled = Settled()
        let outlet = try Self.outlet(settings, ear)
        let outcome = await outlet.take(Entries.hostile, settled: settled.note)
        #expect(outcome == .all)
        #expect(settled.indices == Array(Entries.hostile.indices))
        #expect(settled.verdicts.allSatisfy { $0 == .taken })
        let expected = Entries.hostile.map {
            Subscriber.Message(
                topic: "keywedge/register-3/counter/keywedge.scan", payload: $0.line,
                isRetained: false)
        }
        #expect(try await eventually { try subscriber.messages.count == expected.count })
        #expect(try subscriber.messages == expected)
        await outlet.end()
        #expect(ear.notices == [])
    }

    @Test func aBrokerThatIsAwayIsSaidOnceAndGetsEverythingWhenItIsThere() async throws {
        let broker = try Broker(isStarted: false)
        let ear = Ear()
        let settled = Settled()
        let outlet = try Self.outlet(try broker.settings(), ear)
        async let outcome = outlet.take(Entries.scans(3), settled: settled.note)
        #expect(await eventually { !ear.troubles.isEmpty })
        try broker.start()
        #expect(await outcome == .all)
        #expect(settled.indices == [0, 1, 2])
        #expect(
            ear.notices.first == .trouble("mqtt://127.0.0.1:\(broker.port): Connection refused"))
        #expect(await eventually { ear.notices.last == .well })
        await outlet.end()
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func aBrokerThatComesBackGetsWhatItHadNotAcknowledged(signal: Int32) async throws {
        let broker = try Broker(
            "allow_anonymous true\npersistence true\npersistence_location FOLDER/")
        let ear = Ear()
        let settled = Settled()
        let outlet = try Self.outlet(try broker.settings(), ear)
        let entries = Entries.scans(20_000)
        async let outcome = outlet.take(entries, settled: settled.note)
        for count in [500, 4_000] {
            #expect(await eventually { settled.indices.count > count })
            broker.end(signal)
            try broker.start()
        }
        #expect(await outcome == .all)
        #expect(settled.indices == Array(entries.indices))
        await outlet.end()
    }

    @Test func aBrokerThatHasNoMemoryLeftIsSaidOnceAndGetsTheRestWhenItHasRoom() async throws {
        let broker = try Broker(
            "allow_anonymous true\npersistence false\nmemory_limit 1000000")
        // The broker keeps messages for a subscriber that has disconnected.
        try TestProcess(
            [
                "mosquitto_sub", "-h", "127.0.0.1", "-p", String(broker.port), "-t", "#", "-q", "1",
                "-c", "-i", "away", "-E",
            ], output: broker.folder.path("away")
        ).finish()
        let ear = Ear()
        let settled = Settled()
        let outlet = try Self.outlet(try broker.settings(), ear)
        let entries = Entries.scans(5_000)
        async let outcome = outlet.take(entries, settled: settled.note)
        #expect(await eventually { !ear.troubles.isEmpty })
        let taken = settled.indices.count
        #expect(taken > 0 && taken < entries.count, "\(taken)")
        // When the broker ends, it forgets its messages and their subscribers.
        broker.end()
        try broker.start()
        #expect(await outcome == .all)
        #expect(settled.indices == Array(entries.indices))
        #expect(settled.verdicts.allSatisfy { $0 == .taken })
        let address = "mqtt://127.0.0.1:\(broker.port)"
        // The sink may have tried the broker while it was not running.
        let full = ear.troubles.filter { $0 != "\(address): Connection refused" }
        // The report includes the reason if the broker's last packet arrives before the connection ends.
        let ended = "\(address): it ended the connection"
        #expect(Set(full).isSubset(of: [ended, ended + ": unspecified error (0x80)"]), "\(full)")
        #expect(!full.isEmpty && full.count == Set(full).count, "\(ear.notices)")
        await outlet.end()
    }

    @Test func aMessageLargerThanTheBrokerTakesBecomesADeadLetter() async throws {
        let broker = try Broker("allow_anonymous true\nmax_packet_size 600")
        let settled = Settled()
        let outlet = try Self.outlet(try broker.settings(), Ear())
        var entries = Entries.scans(2)
        entries.insert(
            .init(Entries.event(9, text: String(repeating: "8", count: 1000))), at: 1)
        #expect(await outlet.take(entries, settled: settled.note) == .all)
        #expect(
            settled.verdicts == [.taken, .refused("it is larger than the broker takes"), .taken])
        await outlet.end()
    }

    @Test func aTopicThatTheBrokerRefusesKeepsTheEvents() async throws {
        let broker = try Broker("allow_anonymous true\nacl_file FOLDER/acl", isStarted: false)
        try broker.folder.write("topic write keywedge/+/+/keywedge.scan\n", to: "acl")
        try broker.start()
        let ear = Ear()
        let settled = Settled()
        let outlet = try Self.outlet(try broker.settings(), ear)
        let entries =
            Entries.scans(2) + [
                .init(Entries.event(3, type: .started, source: "/keywedge/register-3"))
            ]
        let outcome = await outlet.take(entries, settled: settled.note)
        #expect(
            outcome
                == .later(
                    "mqtt://127.0.0.1:\(broker.port): it refuses an event: not authorized (0x87)"))
        #expect(settled.verdicts == [.taken, .taken])
        await outlet.end()
    }

    @Test func aWrongPasswordIsRefusedAndANewOneIsTakenWithoutARestart() async throws {
        let broker = try Broker("password_file FOLDER/users", isStarted: false)
        try broker.folder.write("", to: "users")
        try TestProcess(
            ["mosquitto_passwd", "-b", broker.folder.path("users"), "till", "right"],
            output: broker.folder.path("passwd")
        ).finish()
        try broker.start()
        let path = try broker.folder.write("wrong", to: "password")
        var security = MQTTSecurity()
        security.user = { "till" }
        security.password = { try String(contentsOfFile: path, encoding: .utf8) }
        let ear = Ear()
        let outlet = try Self.outlet(try broker.settings(), security: security, ear)
        async let outcome = outlet.take(Entries.scans(1)) { _, _ in }
        let words = "it refuses the connection: not authorized (0x87)"
        #expect(
            await eventually { ear.troubles.contains { $0.contains(words) } }, "\(ear.troubles)")
        try broker.folder.write("right", to: "password")
        #expect(await outcome == .all)
        #expect(!ear.troubles.contains { $0.contains("wrong") })
        await outlet.end()
    }

    @Test func tlsIsVerifiedAndProvenByACertificate() async throws {
        let authority = try TestAuthority()
        let (server, client) = (
            try authority.certificate(for: ["127.0.0.1"]), try authority.certificate(for: ["till"])
        )
        let broker = try Broker(
            """
            cafile FOLDER/ca.pem
            certfile FOLDER/server.pem
            keyfile FOLDER/server.key
            require_certificate true
            use_identity_as_username true
            """, isStarted: false)
        for (bytes, name) in [
            (authority.certificate, "ca.pem"), (server.certificate, "server.pem"),
            (server.key, "server.key"), (client.certificate, "till.pem"), (client.key, "till.key"),
            (try TestAuthority().certificate, "other.pem"),
        ] {
            try broker.folder.write(bytes, to: name)
        }
        try broker.start()
        var settings = try broker.settings()
        settings.addresses = [try #require(MQTTAddress("mqtts://127.0.0.1:\(broker.port)"))]
        var security = MQTTSecurity()
        security.trustsOnlyThese = true
        security.authorityFile = broker.folder.path("ca.pem")
        security.certificateFile = broker.folder.path("till.pem")
        security.keyFile = broker.folder.path("till.key")
        let outlet = try Self.outlet(settings, security: security, Ear())
        #expect(await outlet.take(Entries.scans(3)) { _, _ in } == .all)
        await outlet.end()

        var stranger = security
        stranger.authorityFile = broker.folder.path("other.pem")
        var nobody = security
        nobody.certificateFile = nil
        nobody.keyFile = nil
        var missing = security
        missing.authorityFile = broker.folder.path("none.pem")
        for (security, words) in [
            (stranger, "certificate verify failed"), (nobody, "certificate"),
            (missing, "none.pem\" cannot be read: No such file or directory"),
        ] {
            let ear = Ear()
            let outlet = try Self.outlet(settings, security: security, ear)
            // On a slow machine, another trouble may be reported first, such as a broker that does not answer.
            #expect(
                await eventually { ear.troubles.contains { $0.contains(words) } },
                "\(ear.troubles)")
            await outlet.end()
        }
    }

    @Test func aCertificateForAnotherHostIsRefused() async throws {
        let authority = try TestAuthority()
        let server = try authority.certificate(for: ["elsewhere.example"])
        let broker = try Broker(
            """
            allow_anonymous true
            certfile FOLDER/server.pem
            keyfile FOLDER/server.key
            """, isStarted: false)
        let ca = try broker.folder.write(authority.certificate, to: "ca.pem")
        try broker.folder.write(server.certificate, to: "server.pem")
        try broker.folder.write(server.key, to: "server.key")
        try broker.start()
        var settings = try broker.settings()
        settings.addresses = [try #require(MQTTAddress("mqtts://127.0.0.1:\(broker.port)"))]
        var security = MQTTSecurity()
        security.authorityFile = ca
        let ear = Ear()
        let outlet = try Self.outlet(settings, security: security, ear)
        let words = "host name verification failed"
        #expect(
            await eventually { ear.troubles.contains { $0.contains(words) } }, "\(ear.troubles)")
        await outlet.end()
    }

    @Test func theRegisterIsOnlineUntilItEndsOrIsGone() async throws {
        let broker = try Broker()
        let subscriber = try await broker.subscriber()
        var settings = try broker.settings()
        settings.presence = .init(
            topic: try TopicTemplate("keywedge/{register}/status"), willDelay: .zero)
        let outlet = try Self.outlet(settings, Ear())
        func status() throws -> [String] { try subscriber.messages.map(\.text) }
        #expect(try await eventually { try status() == ["online"] })
        await outlet.end()
        #expect(try await eventually { try status() == ["online", "offline"] })
        #expect(try subscriber.messages.allSatisfy { $0.topic == "keywedge/register-3/status" })
        let later = try await broker.subscriber()
        #expect(try later.messages.map(\.isRetained) == [true])
    }

    @Test func aReconnectionWithinTheDelayOfTheWillIsNoAbsence() async throws {
        let broker = try Broker("allow_anonymous true\nlog_type all")
        let subscriber = try await broker.subscriber()
        let cable = try Cable(to: broker.port)
        let outlet = try Self.outlet(try Self.present(over: cable, willDelay: .patience), Ear())
        func status() throws -> [String] { try subscriber.messages.map(\.text) }
        #expect(try await eventually { try status() == ["online"] })
        cable.cut()
        #expect(try await eventually { try status() == ["online", "online"] })
        // The broker's log shows two connections with version 5, of which only the first is a clean start.
        let log = try String(contentsOfFile: broker.folder.path("mosquitto.log"), encoding: .utf8)
        let connections = log.matches(of: /as keywedge-test \((p[0-9], c[0-9])/).map(\.1)
        #expect(connections == ["p5, c1", "p5, c0"])
        await outlet.end()
        #expect(try await eventually { try status() == ["online", "online", "offline"] })
    }

    @Test func aConnectionThatStaysAwayIsAnAbsenceOnceTheWillHasWaited() async throws {
        let broker = try Broker()
        let subscriber = try await broker.subscriber()
        let cable = try Cable(to: broker.port)
        let outlet = try Self.outlet(try Self.present(over: cable, willDelay: .seconds(1)), Ear())
        #expect(try await eventually { try subscriber.messages.map(\.text) == ["online"] })
        cable.cut(forGood: true)
        #expect(
            try await eventually { try subscriber.messages.map(\.text) == ["online", "offline"] })
        await outlet.end()
    }

    private static func present(over cable: Cable, willDelay: Duration) throws -> MQTTSettings {
        var settings = MQTTSettings(
            addresses: [try #require(MQTTAddress("mqtt://127.0.0.1:\(cable.port)"))],
            clientID: "keywedge-test")
        settings.presence = .init(willDelay: willDelay)
        return settings
    }

    @Test func aMessageOverTheBrokersLimitBecomesADeadLetter() async throws {
        let broker = try Broker("allow_anonymous true\nmessage_size_limit 600")
        let settled = Settled()
        let outlet = try Self.outlet(try broker.settings(), Ear())
        var entries = Entries.scans(2)
        entries.insert(
            .init(Entries.event(9, text: String(repeating: "8", count: 1000))), at: 1)
        #expect(await outlet.take(entries, settled: settled.note) == .all)
        #expect(settled.verdicts == [.taken, .refused("packet too large (0x95)"), .taken])
        await outlet.end()
    }

    @Test func eventsThatNobodySubscribedToAreHeldUntilSomebodyDoes() async throws {
        let broker = try Broker()
        var settings = try broker.settings()
        settings.noSubscriber = .hold
        let outlet = try Self.outlet(settings, Ear())
        let place = "mqtt://127.0.0.1:\(broker.port)"
        #expect(
            await outlet.take(Entries.scans(3)) { _, _ in }
                == .held(
                    "\(place): the broker reports no subscriber of keywedge/register-3/counter/keywedge.scan"
                ))
        let subscriber = try await broker.subscriber()
        #expect(await outlet.take(Entries.scans(3)) { _, _ in } == .all)
        // The first event was sent twice, the first time without a subscriber.
        #expect(try await eventually { try subscriber.messages.count == 3 })
        #expect(try subscriber.messages.map(\.payload) == Entries.scans(3).map(\.line))
        await outlet.end()
    }

    @Test func eventsThatNobodySubscribedToAreSaidOnce() async throws {
        let broker = try Broker()
        let ear = Ear()
        let outlet = try Self.outlet(try broker.settings(), ear)
        for _ in 0..<2 { #expect(await outlet.take(Entries.scans(3)) { _, _ in } == .all) }
        #expect(ear.warnings.count == 1)
        #expect(ear.troubles == [])
        await outlet.end()
    }

    @Test func homeAssistantFindsAnEntityForEachScanner() async throws {
        let broker = try Broker()
        let subscriber = try await broker.subscriber()
        var settings = try broker.settings()
        settings.discoveryPrefix = "homeassistant"
        let outlet = try Self.outlet(settings, Ear())
        #expect(try await eventually { try subscriber.messages.count == 1 })
        let message = try #require(try subscriber.messages.first)
        #expect(message.topic == "homeassistant/event/keywedge-register-3-counter/config")
        let entity = try #require(try JSONReader.read(message.text).object)
        #expect(entity["state_topic"] == "keywedge/register-3/counter/+")
        #expect(entity["unique_id"] == "keywedge-register-3-counter")
        await outlet.end()
    }

    @Test func whatIsCancelledIsLeftAtOnce() async throws {
        let broker = try Broker(isStarted: false)
        let outlet = try Self.outlet(try broker.settings(), Ear())
        let outcome = await withTaskGroup(of: TakeOutcome.self) { group in
            group.addTask { await outlet.take(Entries.scans(1)) { _, _ in } }
            group.cancelAll()
            return await group.next()
        }
        #expect(outcome == .cancelled)
        await outlet.end()
    }
}
