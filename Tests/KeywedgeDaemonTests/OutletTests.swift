import KeywedgeDaemon
import TestTexts
import Testing
import WireText

/// Tests that messages about the choice of a scanner quote texts from outside.
@Suite struct OutletTests {
    @Test func wordsForScannersAreQuoted() {
        let misquoted = AllScalars.misquoted { word in
            let errors: [ScannerChoiceError] = [
                .unknown(word, known: ["x"]), .unknown("x", known: [word]),
                .notAttached(word, forbidden: []), .ambiguous(word, nodes: []),
            ]
            return errors.map(\.description)
        }
        #expect(misquoted == [])
    }
}
