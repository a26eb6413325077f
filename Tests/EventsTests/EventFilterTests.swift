import Events
import Testing
import WireText

struct EventFilterTests {
    private static let filters: [(EventFilter, [Bool])] = [
        (EventFilter(), [true, true, true, true]),
        (EventFilter(types: [.scan]), [true, true, false, false]),
        (EventFilter(scanners: ["counter"]), [true, true, true, false]),
        (EventFilter(scanners: ["door"]), [false, false, false, false]),
        (EventFilter(kinds: ["gtin"]), [true, false, true, true]),
        (EventFilter(types: [.scan, .started], kinds: ["text"]), [false, false, false, true]),
    ]

    @Test(arguments: filters)
    func whatIsEmptyMakesNoDifference(filter: EventFilter, wanted: [Bool]) {
        var noKind = Samples.scan()
        noKind.data = ["text": "x"]
        var own = Samples.event(.started, data: [:])
        own.source = "/keywedge/register-3"
        let events = [Samples.scan(), noKind, Samples.rejection("torn"), own]
        #expect(events.map(filter.takes) == wanted)
    }

    @Test func aSourceOfAnotherHasNoPlace() {
        #expect(EventPlace(source: "/keywedge/r/scanners/a").scanner == "a")
        #expect(EventPlace(source: "/keywedge/r/scanners/a").register == "r")
        #expect(EventPlace(source: "/keywedge/r").scanner == nil)
        #expect(EventPlace(source: "urn:other").register == nil)
    }
}
