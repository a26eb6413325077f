import TestWaiting
import Testing

@testable import Sinks

/// Tests which broker is next after a connection fails or ends, and how long the wait before it is.
@Suite(.blocking) struct MQTTBrokersTests {
    private static func settings(_ hosts: String...) -> MQTTSettings {
        MQTTSettings(
            addresses: hosts.compactMap { MQTTAddress("mqtt://\($0)") }, clientID: "keywedge-test")
    }

    private static let refused = MQTTFailure(text: "Connection refused")

    /// Reports a failure of a connection that was never accepted.
    private static func fail(_ brokers: inout MQTTBrokers) -> (trouble: String?, wait: Duration) {
        brokers.failed(refused, lived: nil, wasBusy: false, chance: 0.5)
    }

    @Test(arguments: [(0.0, "a"), (0.34, "b"), (0.999, "c")])
    func theFirstBrokerIsLeftToChance(chance: Double, host: String) {
        #expect(MQTTBrokers(Self.settings("a", "b", "c"), chance: chance).address.host == host)
    }

    @Test func brokersAreTriedInTurnAndTheWaitGrowsOnceEachHasFailed() {
        var brokers = MQTTBrokers(Self.settings("a", "b", "c"), chance: 0.4)
        var hosts: [String] = []
        var waits: [Duration] = []
        for _ in 0..<9 {
            hosts.append(brokers.address.host)
            waits.append(Self.fail(&brokers).wait)
        }
        #expect(hosts == ["b", "c", "a", "b", "c", "a", "b", "c", "a"])
        let (step, first) = (Duration.milliseconds(500), Duration.milliseconds(750))
        #expect(waits == [step, step, first, step, step, first * 2, step, step, first * 4])
        brokers.well()
        #expect(Self.fail(&brokers).wait == step)
    }

    @Test func aloneABrokerIsTriedAgainAfterWaitsThatGrow() {
        var brokers = MQTTBrokers(Self.settings("a"), chance: 0.9)
        #expect((0..<3).map { _ in Self.fail(&brokers).wait / .milliseconds(750) } == [1, 2, 4])
    }

    @Test func whatIsSaidIsTheSameHoweverOftenTheyAreTried() {
        var brokers = MQTTBrokers(Self.settings("a", "b"), chance: 0)
        let (a, b) = ("mqtt://a:1883: \(Self.refused.text)", "mqtt://b:1883: \(Self.refused.text)")
        let said = (0..<4).map { _ in Self.fail(&brokers).trouble }
        #expect(said == [a, "\(a); \(b)", "\(a); \(b)", "\(a); \(b)"])
        brokers.well()
        #expect(Self.fail(&brokers).trouble == a)
    }

    @Test func theOtherVersionIsTriedAtTheSameBroker() {
        var brokers = MQTTBrokers(Self.settings("a", "b"), chance: 0)
        let failure = MQTTFailure(text: "no", kind: .version)
        let step = brokers.failed(failure, lived: nil, wasBusy: false, chance: 0.5)
        #expect(step.trouble == nil && step.wait == .zero)
        #expect(brokers.address.host == "a")
        #expect(!brokers.choice.isVersion5)
    }

    @Test func rivalsWaitLongerAndLongerForEachOther() {
        var brokers = MQTTBrokers(Self.settings("a"), chance: 0)
        let failure = MQTTFailure(text: "it ended the connection", kind: .takeover)
        let waits = (0..<3).map { _ in
            brokers.well()
            return brokers.failed(failure, lived: .seconds(1), wasBusy: true, chance: 0).wait
        }
        #expect(waits == [.milliseconds(500), .seconds(1), .seconds(2)])
    }

    /// A broker that has accepted a connection supports the version, so an early end has another cause.
    @Test func aBrokerThatHasWorkedIsNotAskedInAnotherVersionWhenItClosesEarly() {
        var brokers = MQTTBrokers(Self.settings("a"), chance: 0)
        brokers.connected()
        let failure = MQTTFailure(
            text: "it closed the connection before it answered", kind: .closedEarly)
        let step = brokers.failed(failure, lived: nil, wasBusy: false, chance: 0.5)
        #expect(step.trouble == "mqtt://a:1883: it closed the connection before it answered")
        #expect(brokers.choice.isVersion5)
        #expect(brokers.choice.isReturning)
    }

    /// In MQTT 3.1.1, the broker cannot report that another client took over the session.
    @Test func connectionsThatEndSoonAndIdleShowARival() {
        var brokers = MQTTBrokers(Self.settings("a"), chance: 0)
        func end(_ lived: Duration, wasBusy: Bool = false) -> String {
            brokers.well()
            return brokers.failed(.ended, lived: lived, wasBusy: wasBusy, chance: 0).trouble ?? ""
        }
        let plain = "mqtt://a:1883: it ended the connection"
        let rival =
            "mqtt://a:1883: it ends each connection soon and without a reason, as a broker does "
            + "if another client connects as \"keywedge-test\"; no two may have the same register name "
            + "or client_id"
        #expect([end(.seconds(1)), end(.seconds(2)), end(.seconds(9))] == [plain, plain, rival])
        // A message in flight may be the reason; a connection that lasts long shows that there is no rival.
        #expect(end(.seconds(1), wasBusy: true) == plain)
        #expect(end(.seconds(700)) == plain)
        let later = (0..<3).map { _ in end(.seconds(11)) }
        #expect(later == [plain, plain, plain])
    }
}
