import Events
import Journal
import TestTexts
import Testing

@testable import Sinks

struct TopicTemplateTests {
    @Test func theTopicHoldsRegisterScannerAndTypeAndNothingElse() throws {
        let template = try TopicTemplate("shop.1/{register}/x-{scanner}/{type}")
        #expect(
            template.topic(of: JournalEntry(Entries.event(1)))
                == "shop.1/register-3/x-counter/keywedge.scan")
        let own = Entries.event(1, type: .started, source: "/keywedge/register-3")
        #expect(
            template.topic(of: JournalEntry(own)) == "shop.1/register-3/x-_/keywedge.started")
    }

    @Test func aNameCanBeNoWildcardAndNoOtherLevel() throws {
        for text in HostileTexts.all { try checkLevels(of: text) }
        let plus = Entries.event(
            1, type: EventType(rawValue: "+"), source: "/keywedge/+/scanners/+")
        #expect(TopicTemplate.events.topic(of: JournalEntry(plus)) == "keywedge/-/-/-")
    }

    private func checkLevels(of text: String) throws {
        let template = try TopicTemplate("keywedge/{register}/{scanner}/{type}")
        let event = Entries.event(
            1, type: EventType(rawValue: text + "#"), source: "/keywedge/\(text)$/scanners/+\(text)"
        )
        let topic = template.topic(of: JournalEntry(event))
        #expect(topic.split(separator: "/", omittingEmptySubsequences: false).count == 4)
        #expect(topic.unicodeScalars.allSatisfy { $0.isTopicCharacter || $0 == "/" })
    }

    @Test(arguments: [
        ("", TopicTemplateError.emptyLevel), ("/a", .emptyLevel), ("a//b", .emptyLevel),
        ("a/", .emptyLevel), ("a/{text}", .unknownField("text")),
        ("a/{type", .unknownField("type")),
        ("a/#", .character("#")), ("a/+/b", .character("+")), ("$SYS/a", .character("$")),
        ("a b", .character(" ")), ("a/}", .character("}")), ("ä", .character("ä")),
        ("a\u{0}", .character("\u{0}")), (String(repeating: "a", count: 1025), .tooLong),
    ])
    func whatIsNoTopicIsRefused(text: String, error: TopicTemplateError) {
        #expect(throws: error) { try TopicTemplate(text) }
    }

    @Test(arguments: [
        ("mqtt://broker.lan", false, "broker.lan", 1883),
        ("mqtts://broker.lan", true, "broker.lan", 8883),
        ("MQTTS://10.0.0.1:1", true, "10.0.0.1", 1), ("mqtt://[::1]:1884/", false, "::1", 1884),
    ])
    func addressesAreRead(text: String, isSecure: Bool, host: String, port: Int) throws {
        let address = try #require(MQTTAddress(text))
        #expect(address.isSecure == isSecure)
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(MQTTAddress(address.description) == address)
    }

    @Test(arguments: [
        "", "broker.lan", "http://broker.lan", "mqtt://", "mqtt://user@broker", "mqtt://a:0",
        "mqtt://a:65536", "mqtt://a:+1", "mqtt://a:01", "mqtt://a/b", "mqtt://a b", "mqtt://[::1",
        "mqtt://[a]", "mqtt://a\n", "mqtt://a#",
    ])
    func whatIsNoAddressIsRefused(text: String) {
        #expect(MQTTAddress(text) == nil)
    }
}
