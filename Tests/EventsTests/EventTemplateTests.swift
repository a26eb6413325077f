import Events
import Testing
import WireText

@Suite struct EventTemplateTests {
    @Test(arguments: [
        Samples.rejection("torn"), Samples.everywhere("a\u{1b}\"é\u{2028}", type: .scan),
        Samples.event(data: ["keystrokes": 1]),
        Samples.event(data: ["keystrokes": ["count": 3], "keystroke": "keystrokes"]),
    ])
    func aFilledTemplateIsTheEventsLine(event: Event) throws {
        var other = event
        other.time = .last
        other.data.append("keystrokes", ["something": "else"])
        let template = try #require(EventTemplate(other, open: "keystrokes"))
        let value = try #require(event.data["keystrokes"])
        let line = template.line(at: event.time) { JSONWriter.append(value, to: &$0) }
        #expect(
            String(decoding: line, as: UTF8.self) == Samples.line(of: event, EventFormatter(.json)))
    }

    @Test func withoutTheFieldThereIsNoTemplate() {
        #expect(EventTemplate(Samples.scan(), open: "keystrokes") == nil)
    }
}
