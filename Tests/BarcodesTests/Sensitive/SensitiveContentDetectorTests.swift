import Barcodes
import Testing

/// Documents whose lines a scanner sends as separate scans.
struct SensitiveContentDetectorTests {
    private static let header = "ANSI 636000090002DL00410278"

    /// Feeds scans with the pause before each, in milliseconds, and returns whether each was hidden; a text after `~`
    /// is a rejection.
    private func hidden(
        _ scans: [(pause: Int64, text: String)], hiding: HiddenContent = HiddenContent()
    ) -> [Bool] {
        var detector = SensitiveContentDetector(hiding: hiding)
        var now: Int64 = 0
        return scans.map { pause, text in
            let start = now + pause * 1_000
            now = start + 10_000
            if text.hasPrefix("~") {
                return detector.inspectFragment(String(text.dropFirst()), at: (start, now)) != nil
            }
            let barcode = BarcodeDecoder().decode(text, aim: nil)
            return detector.inspect(barcode, at: (start, now)) != nil
        }
    }

    @Test func theLinesAfterTheHeaderAreHidden() {
        let lines = ["DLDAQTEST1234", "DCSSAMPLE", "DAGÅÄÖ", "ZVA01", "123 TEST STREET", "X"]
        #expect(
            hidden([(0, Self.header)] + lines.map { (4, $0) }) == [Bool](repeating: true, count: 7))
    }

    @Test func slowLinesAreHiddenByTheirForm() {
        #expect(
            hidden([(0, Self.header), (200, "DCSSAMPLE"), (200, "DQCTEST"), (200, "5449000000996")])
                == [true, true, true, false])
    }

    @Test func aProductAfterALicenceIsShown() {
        #expect(
            hidden([(0, Self.header), (300, "5449000000996"), (4, "DCSSAMPLE")])
                == [true, false, false])
        #expect(hidden([(0, Self.header), (2_500, "DAB1234")]) == [true, false])
        #expect(hidden([(0, "4111111111111111"), (4, "5449000000996")]) == [true, false])
    }

    @Test func aLineThatBrokeOffDoesNotEndTheLicence() {
        #expect(
            hidden([(0, "~@ANSI 6360"), (4, "DCSSAMPLE"), (4, "~"), (4, "~SAMPLE"), (4, "DACTEST")])
                == [true, true, true, true, true])
        #expect(hidden([(0, "~5449000"), (4, "5449000000996")]) == [false, false])
    }

    /// The header is among the lost keys.
    @Test func aLineWithAPersonsDataAfterABrokenScanIsHidden() {
        #expect(
            hidden([(0, "~@"), (4, "DCSSAMPLE"), (4, "DDEN"), (300, "DCSSAMPLE")])
                == [false, true, true, true])
        #expect(hidden([(0, "~@"), (4, "DDEN"), (4, "DCSSAMPLE")]) == [false, false, false])
        #expect(hidden([(0, "~@"), (300, "DCSSAMPLE")]) == [false, false])
    }

    @Test func linesOfALicenceThatIsNotHiddenAreShown() {
        let cards = HiddenContent(kinds: [.paymentCard])
        #expect(
            hidden(
                [(0, Self.header), (4, "DCSSAMPLE"), (4, "~X"), (4, "DCSSAMPLE")], hiding: cards)
                == [false, false, false, false])
    }

    @Test func theSecondLineOfAnIdentityCardIsHidden() {
        let xml = "<PrintLetterBarcodeData uid=\"000000000000\""
        #expect(hidden([(0, xml), (4, "name=\"TEST\"/>"), (500, "TEST")]) == [true, true, false])
    }

    @Test func withoutTimesTheFormOfALineDecides() {
        var detector = SensitiveContentDetector()
        let decoder = BarcodeDecoder()
        let found = [Self.header, "DCSSAMPLE", "5449000000996", "DCSSAMPLE"].map {
            detector.inspect(decoder.decode($0, aim: nil))?.length
        }
        #expect(found == [27, 9, nil, nil])
    }

    @Test func aClockThatStepsBackHidesTheNextLine() {
        #expect(hidden([(0, Self.header), (-500, "DCSSAMPLE")]) == [true, true])
    }
}
