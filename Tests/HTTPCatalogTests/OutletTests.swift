import Barcodes
import Catalog
import KeywedgeTestKit
import TestTexts
import Testing
import WebAPI

@testable import HTTPCatalog

/// Tests that messages quote and escape texts from outside.
@Suite struct OutletTests {
    @Test func errorsQuoteWhatTheyAreAbout() {
        let misquoted = AllScalars.misquoted { text in
            let amount = Documents(answer: ["p": .string(text), "e": "3.49"])
            let rules = [
                PriceRule(amount: [Shop.place("/p")], currency: [.constant("EUR")]),
                PriceRule(
                    amount: [Shop.place("/p")], notation: .minorUnits, currency: [.constant("EUR")]),
                PriceRule(amount: [Shop.place("/p")]),
                PriceRule(amount: [Shop.place("/e")], currency: [Shop.place("/p")]),
            ]
            return rules.compactMap { rule in
                do throws(MappingError) {
                    _ = try PriceReader(rule: rule, documents: amount).price()
                    return nil
                } catch {
                    return error.description
                }
            }
        }
        #expect(misquoted == [])
    }

    @Test func explanationsAreHarmless() async throws {
        for text in AllScalars.shortTexts {
            let json = JSONWriter.text(
                of: ["id": .string(text), "message": .string(text), text: .string(text)])
            let catalog = try Shop.catalog(
                StubTransport { _, _ in Shop.json(json, status: 500) },
                clock: ManualClock(jumps: true))
            let sources = CatalogSources([catalog], clock: ManualClock(jumps: true))
            let lines = await sources.explain(BarcodeDecoder().decode(text, aim: nil)).lines
            #expect(AllScalars.leaks(of: [text]) { _ in lines.joined() } == [])
        }
    }
}
