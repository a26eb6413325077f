import Barcodes
import Catalog
import KeywedgeTestKit
import TestTexts
import Testing
import WebAPI
import WireText

@testable import HTTPCatalog

/// Every character, wherever a message of this module shows a text of others.
@Suite struct OutletTests {
    @Test func errorsQuoteWhatTheyAreAbout() {
        let misquoted = AllScalars.misquoted { text in
            let answers: [MappingError] = [
                .noID(places: [text]), .noList(place: text, found: "x"),
                .minorUnits(place: "x", found: text), .currency(found: text),
                .noCurrency(amount: text, places: []),
            ]
            return answers.map(\.description)
        }
        #expect(misquoted == [])
    }

    @Test func explanationsAreHarmless() async throws {
        for text in AllScalars.shortTexts {
            let json = JSONWriter.text(
                of: ["id": .string(text), "message": .string(text), text: .string(text)])
            let catalog = DeclaredCatalog(
                try Shop.declaration(codes: CodeRules()) { _ in },
                transport: StubTransport { _, _ in Shop.json(json, status: 500) },
                clock: ManualClock(jumps: true))
            let sources = CatalogSources([catalog], clock: ManualClock(jumps: true))
            let lines = await sources.explain(BarcodeDecoder().decode(text, aim: nil)).lines
            #expect(AllScalars.leaks(of: [text]) { _ in lines.joined() } == [])
        }
    }
}
