import Events
import Testing
import WireText

@Suite struct EventTests {
    @Test func anEventIsWrittenInTheOrderOfTheDesign() {
        let event = Samples.event(data: ["scanner": ["name": "counter"], "text": "7\u{1d}8"])
        #expect(
            String(decoding: event.line, as: UTF8.self)
                == #"{"specversion":"1.0","id":"6a1f","#
                + #""source":"/keywedge/register-3/scanners/counter","type":"keywedge.scan","#
                + #""time":"2026-11-21T08:00:00.123456Z","datacontenttype":"application/json","#
                + #""sequence":"00000000000000000042","#
                + #""data":{"scanner":{"name":"counter"},"text":"7\u001d8"}}"#)
    }

    @Test(arguments: [
        (UInt64.min, "00000000000000000000"), (9, "00000000000000000009"),
        (10_000_000_000_000_000_000, "10000000000000000000"), (.max, "18446744073709551615"),
    ])
    func theSequenceHasTwentyDigits(sequence: UInt64, digits: String) {
        let line = Samples.line(
            of: Samples.event(sequence: sequence, data: [:]), EventFormatter(.json))
        #expect(line.contains(#""sequence":"\#(digits)","data":{}}"#))
    }

    @Test func everyTypeOfTheDesignHasItsName() {
        let types: [EventType] = [
            .scan, .scanRejected, .scanRedacted, .scannerConnected, .scannerDisconnected,
            .journalFull, .started, .stopping,
        ]
        #expect(
            types.map(\.rawValue) == [
                "keywedge.scan", "keywedge.scan.rejected", "keywedge.scan.redacted",
                "keywedge.scanner.connected", "keywedge.scanner.disconnected",
                "keywedge.journal.full", "keywedge.started", "keywedge.stopping",
            ])
    }

    @Test func everyCutOfAnEventIsAnErrorAndNoCrash() throws {
        let line = Array(Samples.line(of: Samples.scan("\u{1d}é🧉"), EventFormatter(.json)).utf8)
        for length in 0..<(line.count - 1) {
            #expect(throws: JSONSyntaxError.self) { try JSONReader.read(Array(line[..<length])) }
        }
    }
}
