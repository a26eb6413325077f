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
        let scan = Samples.scan()
        let noKind = Event(
            id: scan.id, source: scan.source, type: scan.type, time: scan.time,
            sequence: scan.sequence, data: ["text": "x"])
        let own = Event(
            id: scan.id, source: "/keywedge/register-3", type: .started, time: scan.time,
            sequence: scan.sequence, data: [:])
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
