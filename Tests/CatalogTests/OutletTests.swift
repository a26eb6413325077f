import Barcodes
import TestTexts
import Testing
import WireText

@testable import Catalog

/// Every character, wherever a message of this module shows a text of others.
@Suite struct OutletTests {
    @Test func errorsQuoteWhatTheyAreAbout() {
        let misquoted = AllScalars.misquoted { text in
            let catalogs: [CatalogError] = [
                .missing(path: text), .unreadable(path: text, reason: "x"),
                .notADatabase(path: text), .notACatalog(path: text),
                .newerSchema(path: text, found: 2, supported: 1), .locked(path: text),
                .readOnly(path: text), .unfinishedLog(path: text), .changing(path: text),
                .untracked(path: text), .diskFull(path: text), .damaged(path: text),
                .failed(path: text, code: 1, reason: "x"),
            ]
            let imports: [ImportError] = [
                .unreadable(SystemCallError(operation: "open", path: text, errno: 2)),
                .empty(path: text), .utf16(path: text), .noIdentity(path: text, columns: []),
                .noIdentity(path: "x", columns: [text]), .repeatedColumn(path: "x", text),
                .invalidRows(path: text, count: 1),
            ]
            let rows: [InvalidRow.Reason] = [
                .notUTF8(column: text, byte: 7), .nulCharacter(column: text),
                .unnamedColumn(number: 1, found: text), .currency(found: text),
                .splitPrice(price: text, unit: "x"), .splitPrice(price: "x", unit: text),
                .roundedCode(text), .numberForCode(text), .repeatedID(text), .repeatedCode(text),
                .codeIsOtherID(text),
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

    @Test func barcodesPercentEncodingIsTheSame() throws {
        // Digital Links encode for themselves, since barcodes import nothing.
        for scalar in AllScalars.all where (0x21...0x7A).contains(scalar.value) {
            let barcode = BarcodeDecoder().decode("0109506000134352" + "10A\(scalar)B", aim: "]C1")
            guard let link = barcode.gs1?.digitalLink else { continue }
            let encoded = PercentEncoding.encoded("A\(scalar)B")
            #expect(link == "https://id.gs1.org/01/09506000134352/10/" + encoded)
        }
    }

    @Test func barcodesCalendarIsTheSame() {
        // Dates of element strings are checked by themselves, since barcodes import nothing.
        for year in 1...9999 {
            for month in 0...13 {
                for day in 28...32 {
                    let date = CalendarDate(year: year, month: month, day: day)
                    let civil = CivilDate(year: Int64(year), month: Int64(month), day: Int64(day))
                    guard (date == nil) != (civil == nil) else { continue }
                    Issue.record("\(year)-\(month)-\(day)")
                }
            }
        }
    }
}
