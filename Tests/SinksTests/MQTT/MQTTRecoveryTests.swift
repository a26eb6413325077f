import Testing

@testable import Sinks

/// What follows when a connection failed or ended, without a broker.
struct MQTTRecoveryTests {
    private static func settings(_ hosts: String...) -> MQTTSettings {
        MQTTSettings(
            addresses: hosts.compactMap { MQTTAddress("mqtt://\($0)") }, clientID: "keywedge-test")
    }

    private static let refused = MQTTFailure("Connection refused")

    /// Fails once more, of a connection that was never there.
    private static func fail(_ recovery: inout MQTTRecovery) -> MQTTRecovery.Step {
        recovery.failed(refused, lived: nil, wasBusy: false, chance: 0.5)
    }

    @Test(arguments: [(0.0, "a"), (0.34, "b"), (0.999, "c")])
    func theFirstBrokerIsLeftToChance(chance: Double, host: String) {
        #expect(MQTTRecovery(Self.settings("a", "b", "c"), chance: chance).address.host == host)
    }

    @Test func brokersAreTriedInTurnAndTheWaitGrowsOnceEachHasFailed() {
        var recovery = MQTTRecovery(Self.settings("a", "b", "c"), chance: 0.4)
        var hosts: [String] = []
        var waits: [Duration] = []
        for _ in 0..<9 {
            hosts.append(recovery.address.host)
            waits.append(Self.fail(&recovery).wait)
        }
        #expect(hosts == ["b", "c", "a", "b", "c", "a", "b", "c", "a"])
        let (step, first) = (Duration.milliseconds(500), Duration.milliseconds(750))
        #expect(waits == [step, step, first, step, step, first * 2, step, step, first * 4])
        recovery.well()
        #expect(Self.fail(&recovery).wait == step)
    }

    @Test func aloneABrokerIsTriedAgainAfterWaitsThatGrow() {
        var recovery = MQTTRecovery(Self.settings("a"), chance: 0.9)
        #expect((0..<3).map { _ in Self.fail(&recovery).wait / .milliseconds(750) } == [1, 2, 4])
    }

    @Test func whatIsSaidIsTheSameHoweverOftenTheyAreTried() {
        var recovery = MQTTRecovery(Self.settings("a", "b"), chance: 0)
        let (a, b) = ("mqtt://a:1883: \(Self.refused.text)", "mqtt://b:1883: \(Self.refused.text)")
        let said = (0..<4).map { _ in Self.fail(&recovery).trouble }
        #expect(said == [a, "\(a); \(b)", "\(a); \(b)", "\(a); \(b)"])
        recovery.well()
        #expect(Self.fail(&recovery).trouble == a)
    }

    @Test func theOtherVersionIsTriedAtTheSameBroker() {
        var recovery = MQTTRecovery(Self.settings("a", "b"), chance: 0)
        let failure = MQTTFailure("no", mayBeVersion: true)
        let step = recovery.failed(failure, lived: nil, wasBusy: false, chance: 0.5)
        #expect(step == MQTTRecovery.Step(trouble: nil, wait: .zero))
        #expect(recovery.address.host == "a")
        #expect(!recovery.isVersion5)
    }

    @Test func rivalsWaitLongerAndLongerForEachOther() {
        var recovery = MQTTRecovery(Self.settings("a"), chance: 0)
        var failure = MQTTFailure("it ended the connection")
        failure.isTakeover = true
        let waits = (0..<3).map { _ in
            recovery.well()
            return recovery.failed(failure, lived: .seconds(1), wasBusy: true, chance: 0).wait
        }
        #expect(waits == [.milliseconds(500), .seconds(1), .seconds(2)])
    }

    /// MQTT 3.1.1 has no word for it.
    @Test func connectionsThatEndSoonAndIdleShowARival() {
        var recovery = MQTTRecovery(Self.settings("a"), chance: 0)
        func end(_ lived: Duration, wasBusy: Bool = false) -> String {
            recovery.well()
            return recovery.failed(.ended, lived: lived, wasBusy: wasBusy, chance: 0).trouble ?? ""
        }
        let plain = "mqtt://a:1883: it ended the connection"
        let rival =
            "mqtt://a:1883: it ends each connection soon and without a reason, as a broker does "
            + "where another client connects as \"keywedge-test\"; no two may have the same host name "
            + "or client_id"
        #expect([end(.seconds(1)), end(.seconds(2)), end(.seconds(9))] == [plain, plain, rival])
        // What was on its way may have been the reason; a long life shows that nobody else is
        // there.
        #expect(end(.seconds(1), wasBusy: true) == plain)
        #expect(end(.seconds(700)) == plain)
        let later = (0..<3).map { _ in end(.seconds(11)) }
        #expect(later == [plain, plain, plain])
    }
}
