import KeywedgeDaemon
import TestTexts
import Testing
import WireText

/// Every character, wherever a message of this module shows a text of others.
@Suite struct OutletTests {
    @Test func wordsForScannersAreQuoted() {
        let misquoted = AllScalars.misquoted { word in
            let errors: [ScannerChoiceError] = [
                .unknown(word, known: ["x"]), .unknown("x", known: [word]),
                .notAttached(word, forbidden: 0), .ambiguous(word, nodes: []),
            ]
            return errors.map(\.description)
        }
        #expect(misquoted == [])
    }
}
