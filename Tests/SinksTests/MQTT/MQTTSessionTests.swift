import Events
import Testing

@testable import Sinks

/// Tests a session without a socket, a thread or libmosquitto.
struct MQTTSessionTests {
    private typealias Drive = SessionDrive

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
        // After the connection breaks, the event is sent again, and the next one still waits for it.
        _ = drive.fail()
        _ = drive.wait(.seconds(1))
        drive.session.receive(.opened, at: drive.now)
        drive.session.receive(.accepted(MQTTLimits(receiveMaximum: 20)), at: drive.now)
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
        drive.session.receive(.accepted(MQTTLimits(receiveMaximum: 20)), at: drive.now)
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

    /// 0x80 is an unspecified error, the first code of a failure; MQTT 5.0, section 2.4.
    @Test func theFirstCodeOfAFailureIsOne() {
        #expect(MQTTReason(0x10).answer == .settled(.taken))
        #expect(MQTTReason(0x7F).answer == .settled(.taken))
        #expect(
            MQTTReason(0x80).answer
                == .later("it refuses an event: unspecified error (0x80)"))
    }

    /// Another broker may accept it.
    @Test func anEventRefusedForNowIsSentAgainIfTheConnectionBreaksMeanwhile() {
        var drive = Drive(["a", "b"])
        _ = drive.connect()
        _ = drive.deliver(2)
        #expect(drive.acknowledge(1, as: 0x97) == [])
        #expect(drive.fail().suffix(2) == ["drop", "connect b"])
        drive.session.receive(.opened, at: drive.now)
        drive.session.receive(.accepted(MQTTLimits(receiveMaximum: 20)), at: drive.now)
        #expect(drive.actions() == ["publish e0 as 3", "publish e1 as 4"])
    }

    @Test func anEventRefusedForItsContentIsSettledAndTheRestGoesOut() {
        var drive = Drive()
        _ = drive.connect()
        _ = drive.deliver(2)
        #expect(drive.acknowledge(1, as: 0x95) == ["refused 0: packet too large (0x95)"])
        #expect(drive.acknowledge(2) == ["taken 1", "finish all"])
    }

    /// Some brokers end the connection because of a message, without naming it.
    @Test func aBrokerThatEndsTheConnectionBecauseOfAnEventGetsEventsSinglyAndThatOneIsRefused() {
        var drive = Drive()
        func reconnect() -> [String] {
            _ = drive.wait(.seconds(10))
            drive.session.receive(.opened, at: drive.now)
            drive.session.receive(.accepted(MQTTLimits(receiveMaximum: 20)), at: drive.now)
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
        // Reports of the abandoned attempt are ignored.
        drive.session.receive(.accepted(MQTTLimits(receiveMaximum: 20)), at: drive.now)
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
        drive.session.receive(.accepted(MQTTLimits(receiveMaximum: 20)), at: drive.now)
        #expect(drive.actions() == ["report well"])
    }

    @Test func aBrokerThatIsSilentIsLeft() {
        var drive = Drive()
        _ = drive.actions()
        drive.session.receive(.opened, at: drive.now)
        #expect(drive.wait(MQTTSession.answerLimit).last == "drop")
        #expect(drive.wait(.seconds(1)) == ["connect a"])
        drive.session.receive(.opened, at: drive.now)
        drive.session.receive(.accepted(MQTTLimits(receiveMaximum: 20)), at: drive.now)
        #expect(drive.deliver(1) == ["publish e0 as 1"])
        #expect(drive.wait(MQTTSession.answerLimit).last == "drop")
    }

    /// A trial delivers no events, and only shows whether the broker accepts the connection.
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
