import TestTexts
import Testing
import WireText

@testable import Catalog

/// Tests that messages quote and escape texts from outside.
@Suite struct OutletTests {
    @Test func errorsQuoteWhatTheyAreAbout() {
        let misquoted = AllScalars.misquoted { text in
            let catalogs: [CatalogError] = [
                .missing(path: text), .unreadable(path: text, reason: "x"),
                .notADatabase(path: text), .notACatalog(path: text),
                .newerSchema(path: text, found: 2, supported: 1), .locked(path: text),
                .readOnly(path: text), .unfinishedLog(path: text), .changing(path: text),
                .olderSchema(path: text), .diskFull(path: text), .damaged(path: text),
                .failed(path: text, code: 1, reason: "x"),
            ]
            var named = ImportError.notUTF8(likely: "x")
            named.path = text
            let imports = [
                named, .repeatedColumn(text), .noColumn(text, for: "x", in: ["y"]),
                .noColumn("x", for: "y", in: [text]),
            ]
            let rows: [InvalidRow.Reason] = [
                .nulCharacter(column: text),
                .unreadable("x", text, expected: "y"), .repeatedID(text), .repeatedCode(text),
                .codeIsOtherID(text), .repeatedOffer(id: text, scope: "x"),
                .movedCode("x", id: text), .movedCode(text, id: "x"),
                .price(.notANumber(text: text)), .price(.negative(text: text)),
                .price(.ambiguous(text: text)),
                .price(.unknownCurrency(text: "1", found: text)),
            ]
            return catalogs.map(\.description) + imports.map(\.description)
                + rows.map(\.description)
                + [SharedCodeError(code: text, ids: []).description]
        }
        #expect(misquoted == [])
    }
}
