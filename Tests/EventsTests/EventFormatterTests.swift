import TestTexts
import Testing
import WireText

@testable import Events

@Suite struct EventFormatterTests {
    static let types: [EventType] = [.scan, .scanRejected, .scannerConnected]
    static let sequences = ["[0m", "[1m", "[2m", "[31m", "[32m", "[33m", "[36m"].map {
        "\u{1b}" + $0
    }

    /// The forbidden characters in an output line, besides its end and the tabs between columns.
    private func forbidden(in line: String, _ format: EventFormat) -> [Unicode.Scalar] {
        #expect(line.isEmpty || line.unicodeScalars.last == "\n")
        return line.unicodeScalars.dropLast().filter {
            HostileTexts.isForbidden($0) && !(format == .tsv && $0 == "\t")
        }
    }

    @Test(arguments: EventFormat.allCases)
    func noCharacterOfAScanBreaksALineOrReachesTheTerminal(format: EventFormat) {
        let formatter = EventFormatter(format, width: 1_000)
        for text in HostileTexts.all {
            let line = Samples.line(of: Samples.scan(text, name: text), formatter)
            #expect(forbidden(in: line, format).isEmpty)
        }
    }

    @Test(arguments: EventFormat.allCases, types)
    func noFieldBreaksALineOrReachesTheTerminal(format: EventFormat, type: EventType) {
        let hostile = "\u{1b}\0\u{7f}\u{9b}\u{2028}\u{202e}\t\n\r\u{2066}\u{61c}"
        for text in hostile.unicodeScalars.map({ String($0) }) + [hostile, "a" + hostile] {
            let event = Samples.everywhere(text, type: type)
            let line = Samples.line(of: event, EventFormatter(format, width: 1_000))
            #expect(forbidden(in: line, format).isEmpty)
            #expect(line.isEmpty == (format == .text && type != .scan))
        }
    }

    @Test func colouredLinesHoldNoSequencesButOurs() {
        let formatter = EventFormatter(.pretty, colour: true)
        let event = Samples.everywhere("\u{1b}[31mred\u{9b}31m", type: .scanRejected)
        let pieces = Samples.line(of: event, formatter).split(separator: "\u{1b}").dropFirst()
        #expect(!pieces.isEmpty)
        for piece in pieces {
            #expect(Self.sequences.contains { ("\u{1b}" + piece).hasPrefix($0) })
        }
    }

    @Test func theTextFormatGivesTheCodeAloneAndOnlyForScans() {
        let formatter = EventFormatter(.text)
        #expect(
            Samples.line(of: Samples.scan("A\tB\n\u{1b}\\"), formatter) == "A\\tB\\n\\x1b\\\\\n")
        #expect(Samples.line(of: Samples.rejection("torn"), formatter) == "")
        #expect(Samples.line(of: Samples.event(data: [:]), formatter) == "")
        #expect(Samples.line(of: Samples.event(data: ["text": ""]), formatter) == "")
    }

    @Test func theColumnsOfTSVAreFixed() {
        #expect(
            EventColumn.all.map(\.name) == [
                "time", "scanner", "type", "reason", "text", "gtin", "symbology", "kind", "lookup",
                "product_id", "product_name", "price", "currency", "unit", "problems", "sequence",
                "id", "source", "price_stale", "charge", "charge_currency", "charge_quantity",
                "charge_unit", "charge_reason",
            ])
        let problems: [JSONValue] = [["code": "a"], ["severity": "error"], 7, ["code": "b"]]
        #expect(
            Samples.line(of: Samples.scan(problems: problems), EventFormatter(.tsv))
                == "2026-11-21T08:00:00.123456Z\tcounter\tkeywedge.scan\t-\t4006381333931\t"
                + "04006381333931\tean-13\tgtin\tfound\tp-1\tFineliner\t1.20\tEUR\t-\ta,b\t"
                + "00000000000000000042\t6a1f\t/keywedge/register-3/scanners/counter\t-\t-\t-\t-\t-\t-\n"
        )
    }

    @Test func anOldPriceIsMarkedInEveryFormat() {
        let event = Samples.event(data: [
            "text": "4006381333931", "lookup": ["status": "found"],
            "product": ["id": "p-1", "price": "1.20", "currency": "EUR", "price_stale": true],
        ])
        let pretty = Samples.line(of: event, EventFormatter(.pretty, width: 120))
        #expect(pretty.contains("old 1.20 EUR"))
        #expect(Samples.line(of: event, EventFormatter(.tsv)).contains("\ttrue\t-"))
        #expect(Samples.line(of: event, EventFormatter(.json)).contains("\"price_stale\":true"))
    }

    @Test func everyTSVLineHasEveryColumnAndNoneIsEmpty() {
        let events = [
            Samples.scan("\t\t"), Samples.scan(""), Samples.rejection("torn"),
            Samples.event(data: [:]), Samples.event(.started, data: ["scanner": 1, "product": []]),
        ]
        for event in events {
            let line = Samples.line(of: event, EventFormatter(.tsv)).dropLast()
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            #expect(columns.count == EventColumn.all.count)
            #expect(!columns.contains(""))
        }
    }

    @Test func aScannedHyphenIsNotTakenForAMissingValue() {
        let columns = Samples.line(of: Samples.scan("-"), EventFormatter(.tsv)).split(
            separator: "\t")
        #expect(columns[4] == #"\x2d"#)
        #expect(Escaping.unescaped(String(columns[4])) == "-")
    }
}
