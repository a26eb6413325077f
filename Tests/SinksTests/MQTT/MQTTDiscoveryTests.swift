import Events
import Testing
import WireText

@testable import Sinks

/// Tests the Home Assistant entities of a register.
struct MQTTDiscoveryTests {
    private static let counter = "homeassistant/event/keywedge-r-counter/config"
    private static let door = "homeassistant/event/keywedge-r-door/config"
    private static let automatic = "homeassistant/event/keywedge-r-0c2e-0b61-usb/config"

    private func drive(
        scanners: [String] = [], memory: MQTTMemory = MQTTMemory(),
        filter: EventFilter = EventFilter(),
        change: (inout MQTTSettings) -> Void = { _ in }
    ) -> SessionDrive {
        var register = MQTTRegister("r", scanners: scanners)
        register.filter = filter
        return SessionDrive(register: register, memory: memory) {
            $0.discoveryPrefix = "homeassistant"
            change(&$0)
        }
    }

    /// Returns the memory after scanners with these names were announced.
    private func memory(of names: String...) -> MQTTMemory {
        var drive = drive(scanners: names)
        _ = drive.connect()
        return drive.remembered
    }

    @Test func configuredScannersAreAnnouncedAfterTheyAreRemembered() {
        var drive = drive(scanners: ["door", "counter"])
        #expect(
            drive.connect() == [
                "connect a", "remember", "publish \(Self.counter) as 1",
                "publish \(Self.door) as 2",
            ])
        #expect(Set(drive.remembered.entities.values) == ["counter", "door"])
    }

    @Test
    func aScannerWithAnAutomaticNameIsAnnouncedBeforeItsFirstEventWhichWaitsForTheSubscription() {
        var drive = drive()
        #expect(drive.connect() == ["connect a", "report well"])
        let name = "0c2e-0b61-usb"
        #expect(
            drive.deliver([("up", .scannerConnected, name)]) == [
                "remember", "publish \(Self.automatic) as 1",
            ])
        #expect(drive.acknowledge(1) == [])
        #expect(drive.wait(MQTTLink.subscribingTime) == ["publish up as 2"])
        #expect(drive.acknowledge(2).last == "finish all")
        #expect(drive.deliver([("scan", .scan, name)]) == ["publish scan as 3"])
        // The next run announces it before any event.
        var next = self.drive(memory: drive.remembered)
        #expect(next.connect() == ["connect a", "publish \(Self.automatic) as 1"])
    }

    @Test(arguments: [(["door"], "homeassistant"), (["counter"], nil), ([], "homeassistant")])
    func whatIsNoLongerWantedIsRemovedOnceAndThenForgotten(scanners: [String], prefix: String?) {
        var drive = drive(scanners: scanners, memory: memory(of: "counter")) {
            $0.discoveryPrefix = prefix
        }
        let actions = drive.connect()
        #expect(actions.contains("publish no \(Self.counter) as 1"))
        #expect(drive.remembered.entities[Self.counter] != nil)
        #expect(drive.acknowledge(1).contains("remember"))
        #expect(drive.remembered.entities[Self.counter] == nil)
    }

    @Test func anAutomaticNameGoesOnceAScannerIsConfigured() {
        let memory = memory(of: "0c2e-0b61-usb")
        var automatic = drive(memory: memory)
        #expect(automatic.connect() == ["connect a", "publish \(Self.automatic) as 1"])
        var configured = drive(scanners: ["counter"], memory: memory)
        #expect(configured.connect().contains("publish no \(Self.automatic) as 1"))
    }

    @Test func eventsOfARemovedScannerBringItBackToNobody() {
        var drive = drive(scanners: ["counter"], memory: memory(of: "counter"))
        _ = drive.connect()
        #expect(drive.deliver([("late", .scan, "door")]) == ["publish late as 2"])
    }

    @Test func anotherTopicMovesTheEntities() throws {
        let register = try TopicTemplate("shop/{register}/{type}")
        var drive = drive(scanners: ["counter"], memory: memory(of: "counter")) {
            $0.topic = register
        }
        let actions = drive.connect()
        #expect(actions.contains("publish no \(Self.counter) as 1"))
        #expect(actions.contains("publish homeassistant/event/keywedge-r/config as 2"))
    }

    @Test func filtersNarrowWhatIsAnnounced() throws {
        var register = MQTTRegister("r", scanners: ["counter", "door"])
        register.filter = EventFilter(types: [.scan, .started], scanners: ["door"])
        var settings = MQTTSettings(addresses: [.localhost])
        settings.discoveryPrefix = "homeassistant"
        let discovery = try #require(MQTTDiscovery(settings, register, status: nil))
        let entities = discovery.entities(after: [])
        #expect(entities.map(\.name) == ["door"])
        let text = String(decoding: try #require(entities.first).message.payload, as: UTF8.self)
        let entity = try #require(try JSONReader.read(text).object)
        #expect(entity["event_types"] == ["keywedge.scan"])
        register.filter.types = [.started]
        #expect(MQTTDiscovery(settings, register, status: nil) == nil)
    }

    @Test(arguments: [false, true])
    func whatTheBrokerDoesNotKeepIsSentWithEachPresence(isTheBrokersWord: Bool) {
        var drive = drive(scanners: ["counter"]) {
            if !isTheBrokersWord { $0.presence = .init() }
            $0.presence?.isRetained = false
        }
        let online = isTheBrokersWord ? [] : ["publish online as 2"]
        let first = drive.connect(retains: !isTheBrokersWord)
        #expect(
            first.suffix(1 + online.count) == ["publish \(Self.counter), not kept as 1"] + online)
        _ = isTheBrokersWord ? drive.acknowledge(1) : drive.acknowledge(1, 2)
        let again = drive.wait(MQTTMessages.presenceInterval)
        #expect(again.first == "publish \(Self.counter), not kept as \(2 + online.count)")
    }
}

/// Tests events with and without subscribers.
struct MQTTSubscriberTests {
    private static let topic = "keywedge/r/counter/keywedge.scan"

    @Test func eventsWithoutSubscriberAreReportedOncePerChangeAndCounted() {
        var drive = SessionDrive()
        _ = drive.connect()
        #expect(drive.deliver(3).count == 3)
        #expect(
            drive.acknowledge(1, as: 0x10) == [
                "report warning(\"mqtt://a:1883: the broker reports no subscriber of \(Self.topic) for "
                    + "event 1 (keywedge.scan)\")", "taken 0",
            ])
        #expect(drive.acknowledge(2, 3, as: 0x10) == ["taken 1", "taken 2", "finish all"])
        // The next run remembers this, and does not report it again.
        var next = SessionDrive(memory: drive.remembered)
        _ = next.connect()
        #expect(next.deliver(4).count == 4)
        #expect(next.acknowledge(1, 2, 3, as: 0x10).allSatisfy { $0.hasPrefix("taken") })
        let report = next.acknowledge(4).first
        #expect(report?.contains("\(Self.topic) has a subscriber now") == true)
        #expect(report?.contains("3 events had none before: 1 to 3") == true)
        #expect(report?.contains("journal replay --sink mqtt --from 0") == true)
    }

    @Test func onlySettledEventsAreReportedInOrder() {
        var drive = SessionDrive()
        _ = drive.connect()
        _ = drive.deliver(2)
        // The second event has no subscriber at first; it is sent again, and then has one.
        #expect(drive.acknowledge(2, as: 0x10) == [])
        _ = drive.fail()
        _ = drive.wait(.seconds(1))
        _ = drive.connect()
        let answers = drive.acknowledge(3, as: 0x10) + drive.acknowledge(4)
        #expect(answers.filter { $0.hasPrefix("report warning") }.count == 2, "\(answers)")
        #expect(answers.first?.contains("for event 1 (") == true, "\(answers)")
        #expect(answers.contains { $0.contains("1 event had none before: 1. ") }, "\(answers)")
    }

    @Test func holdingAppliesToScansAndToTopicsThatHadASubscriber() {
        var drive = SessionDrive { $0.noSubscriber = .hold }
        _ = drive.connect()
        _ = drive.deliver([("up", .started, nil)])
        #expect(drive.acknowledge(1, as: 0x10).suffix(2) == ["taken 0", "finish all"])
        _ = drive.deliver([("scan", .scan, "counter")])
        #expect(
            drive.acknowledge(2, as: 0x10) == [
                "finish held(\"mqtt://a:1883: the broker reports no subscriber of \(Self.topic)\")"
            ])
        _ = drive.deliver([("up", .started, nil)])
        #expect(drive.acknowledge(3).contains("taken 0"))
        _ = drive.deliver([("up", .started, nil)])
        #expect(drive.acknowledge(4, as: 0x10).first?.hasPrefix("finish held") == true)
    }

    @Test func withDiscoveryEventsOfEntitiesAreHeldAndNoOthers() {
        var drive = SessionDrive(register: MQTTRegister("r", scanners: ["counter"])) {
            $0.noSubscriber = .hold
            $0.discoveryPrefix = "homeassistant"
        }
        _ = drive.connect()
        _ = drive.acknowledge(1)
        _ = drive.wait(MQTTLink.subscribingTime)
        _ = drive.deliver([("up", .scannerConnected, "counter")])
        #expect(drive.acknowledge(2, as: 0x10).first?.hasPrefix("finish held") == true)
        _ = drive.deliver([("late", .scan, "door")])
        #expect(drive.acknowledge(3, as: 0x10).contains("taken 0"))
    }

    /// A broker of version 3.1.1 acknowledges everything, with or without subscribers.
    @Test func version311SaysNothingOfSubscribers() {
        var drive = SessionDrive { $0.version = .v311 }
        _ = drive.connect()
        _ = drive.deliver(1)
        #expect(drive.acknowledge(1) == ["taken 0", "finish all"])
        #expect(drive.remembered == MQTTMemory())
    }
}
