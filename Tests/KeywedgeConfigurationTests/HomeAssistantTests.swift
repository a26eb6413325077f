import KeywedgeConfiguration
import Testing

/// Tests which topics and scanner names are refused with Home Assistant's discovery, and the register's name.
struct HomeAssistantTests {
    private func problems(
        topic: String, scanners: String = "counter",
        _ settings: String = "home_assistant: homeassistant"
    ) -> [String] {
        sentences(
            """
            scanners: [{name: a-b}, {name: \(scanners), match: {uniq: "2"}}]
            events: [{mqtt: {url: "mqtt://broker", topic: "\(topic)", \(settings)}}]
            """)
    }

    @Test(arguments: [
        "keywedge/{register}/{type}", "keywedge/{register}/status", "{type}/{register}/status",
        "shop/{register}/{scanner}-{type}",
    ])
    func aTopicThatEntitiesCannotUseIsRefused(topic: String) {
        #expect(problems(topic: topic).count == 1)
        #expect(problems(topic: topic, "in_flight: 1") == [])
    }

    @Test(arguments: [
        "keywedge/{register}/{scanner}/{type}", "shop/{register}/{type}", "{register}/{scanner}",
    ])
    func otherTopicsAreAccepted(topic: String) {
        #expect(problems(topic: topic) == [])
    }

    @Test func withoutPresenceEveryTopicWithWholeLevelsIsAccepted() {
        let settings = "presence: none, home_assistant: homeassistant"
        #expect(problems(topic: "keywedge/{register}/{type}", settings) == [])
    }

    @Test func scannersThatWouldShareAnEntityAreRefused() {
        let topic = "keywedge/{register}/{scanner}/{type}"
        #expect(problems(topic: topic, scanners: "a.b").count == 1)
        #expect(problems(topic: topic, scanners: "a.b", "in_flight: 1") == [])
        #expect(problems(topic: "scans/{register}", scanners: "a.b") == [])
    }

    @Test func theRegisterHasAName() throws {
        #expect(try Configuration.parse(text: "register: till.3", file: "-").register == "till.3")
        #expect(sentences("register: \"till/3\"").count == 1)
        let other = try Configuration.parse(text: "register: till-4", file: "-")
        #expect(Configuration.standard.keysForRestart(to: other) == ["register"])
    }
}
