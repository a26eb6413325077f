import Testing

@testable import Sinks

/// A session alone: no socket, no thread, no libmosquitto.
struct MQTTSessionTests {
    /// A session that a test drives by hand, at a time of its own.
    private struct Drive {
        var now = ContinuousClock.now
        var session: MQTTSession
        private var nextID: Int32 = 0

        init(_ hosts: [String] = ["a"], change: (inout MQTTSettings) -> Void = { _ in }) {
            var settings = MQTTSettings(addresses: hosts.compactMap { MQTTAddress("mqtt://\($0)") })
            change(&settings)
            let messages = MQTTMessages(settings, register: "r", scanners: [])
            session = MQTTSession(settings, messages, at: now) { 0 }
        }

        /// All actions up to the next wait; messages are numbered from 1.
        mutating func actions() -> [String] {
            var words: [String] = []
            while true {
                switch session.next(at: now) {
                case .wait: return words
                case .stop: return words + ["stop"]
                case .publish(let message):
                    nextID += 1
                    words.append("publish \(message.text) as \(nextID)")
                    session.receive(.published(id: nextID), at: now)
                case .connect(let broker): words.append("connect \(broker.address.host)")
                case .settle(let index, .taken): words.append("taken \(index)")
                case .settle(let index, .refused(let reason)):
                    words.append("refused \(index): \(reason)")
                case .finish(let outcome): words.append("finish \(outcome)")
                case .report(let notice): words.append("report \(notice)")
                case .drop: words.append("drop")
                case .ping: words.append("ping")
                case .disconnect: words.append("disconnect")
                }
            }
        }

        /// Connects, and returns what follows.
        mutating func connect(receiveMaximum: Int = 65_535) -> [String] {
            let first = actions()
            session.receive(.opened, at: now)
            session.receive(.accepted(receiveMaximum: receiveMaximum), at: now)
            return first + actions()
        }

        mutating func deliver(_ count: Int) -> [String] {
            let messages = (0..<count).map {
                MQTTMessage(topic: "t", payload: Array("e\($0)".utf8))
            }
            return (session.deliver(messages) ? [] : ["not accepted"]) + actions()
        }

        mutating func acknowledge(_ ids: Int32..., as code: Int32 = 0) -> [String] {
            for id in ids { session.receive(.acknowledged(id: id, MQTTReason(code)), at: now) }
            return actions()
        }

        mutating func fail(_ failure: MQTTFailure = .ended) -> [String] {
            session.receive(.failed(failure), at: now)
            return actions()
        }

        mutating func wait(_ time: Duration) -> [String] {
            now += time
            return actions()
        }
    }

    @Test func eventsAreSettledInOrderWhateverTheOrderOfTheAcknowledgements() {
        var drive = Drive()
        #expect(drive.connect() == ["connect a", "report well"])
        #expect(drive.deliver(3) == ["publish e0 as 1", "publish e1 as 2", "publish e2 as 3"])
        #expect(drive.acknowledge(2) == [])
        #expect(drive.acknowledge(1) == ["taken 0", "taken 1"])
        #expect(drive.acknowledge(3) == ["taken 2", "finish all"])
    }

    @Test func withOneInFlightAnEventWaitsForTheOneBefore() {
        var drive = Drive { $0.inFlight = 1 }
        _ = drive.connect()
        #expect(drive.deliver(3) == ["publish e0 as 1"])
        #expect(drive.acknowledge(1) == ["taken 0", "publish e1 as 2"])
        // The broker dies: the event is sent again, and the next still waits for it.
        _ = drive.fail()
        _ = drive.wait(.seconds(1))
        drive.session.receive(.opened, at: drive.now)
        drive.session.receive(.accepted(receiveMaximum: 20), at: drive.now)
        #expect(drive.actions() == ["publish e1 as 3"])
        #expect(drive.acknowledge(3) == ["taken 1", "publish e2 as 4"])
    }

    /// An event is sent only while fewer than 20 before it are unsettled, even if later ones are acknowledged.
    @Test func anEventThatIsNotAcknowledgedIsOvertakenByNineteenAtTheMost() {
        var drive = Drive()
        _ = drive.connect()
        #expect(drive.deliver(40).count == 20)
        for id in 2...20 { #expect(drive.acknowledge(Int32(id)) == []) }
        #expect(drive.acknowledge(1).count == 40)
    }

    @Test func theBrokersLimitAppliesIfItIsLower() {
        var drive = Drive()
        _ = drive.connect(receiveMaximum: 3)
        #expect(drive.deliver(10).count == 3)
    }

    @Test func afterABrokenConnectionWhatIsUnsettledIsSentAgainInOrder() {
        var drive = Drive()
        _ = drive.connect()
        _ = drive.deliver(4)
        #expect(drive.acknowledge(1, 3) == ["taken 0"])
        #expect(
            drive.fail() == [
                "report trouble(\"mqtt://a:1883: it ended the connection\")", "drop",
            ])
        #expect(drive.wait(.seconds(1)) == ["connect a"])
        drive.session.receive(.opened, at: drive.now)
        drive.session.receive(.accepted(receiveMaximum: 20), at: drive.now)
        #expect(drive.actions() == ["publish e1 as 5", "publish e2 as 6", "publish e3 as 7"])
        #expect(
            drive.acknowledge(5, 6, 7) == [
                "taken 1", "taken 2", "taken 3", "finish all", "report well",
            ])
    }

    @Test func anEventRefusedForNowIsHeldAndWhatIsSettledBeforeItStays() {
        var drive = Drive()
        _ = drive.connect()
        _ = drive.deliver(3)
        #expect(drive.acknowledge(1) == ["taken 0"])
        #expect(drive.acknowledge(2, as: 0x87) == [])
        #expect(
            drive.acknowledge(3) == [
                "finish later(\"mqtt://a:1883: it refuses an event: not authorized (0x87)\", after: nil)"
            ])
    }

    /// Another broker may accept it.
    @Test func anEventRefusedForNowIsSentAgainIfTheConnectionBreaksMeanwhile() {
        var drive = Drive(["a", "b"])
        _ = drive.connect()
        _ = drive.deliver(2)
        #expect(drive.acknowledge(1, as: 0x97) == [])
        #expect(drive.fail().suffix(2) == ["drop", "connect b"])
        drive.session.receive(.opened, at: drive.now)
        drive.session.receive(.accepted(receiveMaximum: 20), at: drive.now)
        #expect(drive.actions() == ["publish e0 as 3", "publish e1 as 4"])
    }

    @Test func anEventRefusedForItsContentIsSettledAndTheRestGoesOut() {
        var drive = Drive()
        _ = drive.connect()
        _ = drive.deliver(2)
        #expect(drive.acknowledge(1, as: 0x95) == ["refused 0: packet too large (0x95)"])
        #expect(drive.acknowledge(2) == ["taken 1", "finish all"])
    }

    /// Some brokers end the connection because of a message, and do not say of which.
    @Test func aBrokerThatEndsTheConnectionBecauseOfAnEventGetsEventsSinglyAndThatOneIsRefused() {
        var drive = Drive()
        func reconnect() -> [String] {
            _ = drive.wait(.seconds(10))
            drive.session.receive(.opened, at: drive.now)
            drive.session.receive(.accepted(receiveMaximum: 20), at: drive.now)
            return drive.actions()
        }
        let failure = MQTTFailure(
            text: "it ended the connection: packet too large (0x95)", kind: .message)
        _ = drive.connect()
        _ = drive.deliver(3)
        #expect(drive.fail(failure).last == "drop")
        #expect(reconnect() == ["publish e0 as 4"])
        #expect(drive.acknowledge(4) == ["taken 0", "publish e1 as 5"])
        #expect(drive.fail(failure).first == "refused 1: \(failure.text)")
        #expect(reconnect() == ["publish e2 as 6"])
        #expect(drive.acknowledge(6) == ["taken 2", "finish all", "report well"])
    }

    @Test func aComplaintThatMayBeAboutPresenceCostsNoEvent() {
        var drive = Drive { $0.presence = MQTTSettings.Presence() }
        _ = drive.connect()
        #expect(drive.deliver(1) == ["publish e0 as 2"])
        let failure = MQTTFailure(
            text: "it ended the connection: topic name invalid (0x90)", kind: .message)
        #expect(!drive.fail(failure).contains { $0.hasPrefix("refused") })
    }

    @Test func aConnectionThatDoesNotOpenIsAbandonedAndTheNextBrokerTried() {
        var drive = Drive(["a", "b"])
        #expect(drive.actions() == ["connect a"])
        #expect(drive.wait(MQTTSession.openLimit - .milliseconds(1)) == [])
        #expect(
            drive.wait(.milliseconds(1)) == [
                "report trouble(\"mqtt://a:1883: it has not answered for 10s\")", "drop",
                "connect b",
            ])
        // What the abandoned attempt reports is of no interest.
        drive.session.receive(.accepted(receiveMaximum: 20), at: drive.now)
        #expect(drive.deliver(1) == [])
    }

    @Test func theOnlyBrokerIsWaitedForLonger() {
        var drive = Drive()
        #expect(drive.actions() == ["connect a"])
        #expect(
            drive.wait(MQTTSession.openLimit) == [
                "report trouble(\"mqtt://a:1883: it has not answered for 10s\")"
            ])
        #expect(drive.wait(.seconds(120)) == [])
        drive.session.receive(.opened, at: drive.now)
        drive.session.receive(.accepted(receiveMaximum: 20), at: drive.now)
        #expect(drive.actions() == ["report well"])
    }

    @Test func aBrokerThatIsSilentIsLeft() {
        var drive = Drive()
        _ = drive.actions()
        drive.session.receive(.opened, at: drive.now)
        #expect(drive.wait(MQTTSession.answerLimit).last == "drop")
        #expect(drive.wait(.seconds(1)) == ["connect a"])
        drive.session.receive(.opened, at: drive.now)
        drive.session.receive(.accepted(receiveMaximum: 20), at: drive.now)
        #expect(drive.deliver(1) == ["publish e0 as 1"])
        #expect(drive.wait(MQTTSession.answerLimit).last == "drop")
    }

    /// A trial delivers nothing, to learn whether the broker accepts the connection.
    @Test func aDeliveryOfNothingWaitsForTheConnection() {
        var drive = Drive()
        #expect(drive.deliver(0) == ["connect a"])
        #expect(drive.connect() == ["finish all", "report well"])
    }

    @Test func aStopDoesNotWaitForAConnection() {
        for isOpen in [false, true] {
            var drive = Drive()
            #expect(drive.actions() == ["connect a"])
            #expect(drive.deliver(2) == [])
            if isOpen { drive.session.receive(.opened, at: drive.now) }
            drive.session.end(at: drive.now)
            #expect(drive.actions() == ["finish cancelled", "drop", "stop"])
            #expect(drive.deliver(1) == ["not accepted", "stop"])
        }
    }

    @Test func aCancelledDeliverySettlesWhatIsAcknowledgedSoon() {
        var drive = Drive()
        _ = drive.connect()
        #expect(drive.deliver(40).count == 20)
        drive.session.cancelDelivery(at: drive.now)
        // Nothing more is sent.
        #expect(drive.acknowledge(1, 2) == ["taken 0", "taken 1"])
        #expect(drive.wait(MQTTSession.endLimit) == ["finish cancelled"])
    }

    @Test func aStopSaysThatTheRegisterIsOfflineAndWaitsAMomentForThat() {
        var drive = Drive { $0.presence = MQTTSettings.Presence() }
        #expect(drive.connect() == ["connect a", "publish online as 1"])
        #expect(drive.acknowledge(1) == ["report well"])
        drive.session.end(at: drive.now)
        #expect(drive.actions() == ["publish offline as 2"])
        #expect(drive.wait(MQTTSession.endLimit) == ["disconnect", "stop"])
    }

    @Test func anIdleConnectionIsKeptAliveByPresenceOrByPings() {
        var silent = Drive()
        _ = silent.connect()
        #expect(silent.wait(.seconds(60)) == [])
        #expect(silent.wait(.seconds(1)) == ["ping"])
        var present = Drive { $0.presence = MQTTSettings.Presence() }
        _ = present.connect()
        _ = present.acknowledge(1)
        #expect(present.wait(.seconds(60)) == ["publish online as 2"])
    }
}

extension MQTTMessage {
    fileprivate var text: String { String(decoding: payload, as: UTF8.self) }
}
