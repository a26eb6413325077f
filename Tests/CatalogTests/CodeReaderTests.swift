import Catalog
import Testing

/// Tests how codes that spreadsheets or the clipboard have changed are repaired or refused.
@Suite struct CodeReaderTests {
    /// Imports a row, and returns its codes, or its error in their place, and the notes.
    private func take(
        _ code: String, column: String = "ean", keeping keepsCodes: Bool = false
    ) throws -> (codes: [String], notes: [ImportNote]) {
        let quoted = code.replacing("\"", with: "\"\"")
        let tried = try TriedImport("id,\(column)\n1,\"\(quoted)\"\n") {
            $0.keepsCodes = keepsCodes
        }
        return (try tried.catalog.product(id: "1")?.codes ?? tried.invalid, tried.notes)
    }

    @Test(arguments: [
        (ImportNote.Kind.lostZeros, "42100005264", "042100005264"),
        (.lostZeros, "7023001236", "007023001236"), (.lostZeros, "1234565", "01234565"),
        (.lostZeros, "4252614", "04252614"), (.lostZeros, "42100005264.0", "042100005264"),
        (.invisible, "\u{202D}4006381333931\u{202C}", "4006381333931"),
        (.invisible, "4006381\u{200B}333931", "4006381333931"),
        (.invisible, "\u{FEFF}4006381333931", "4006381333931"),
        (.invisible, "4006381333931\u{A0}", "4006381333931"),
        (.invisible, "４００６３８１３３３９３１", "4006381333931"),
        (.invisible, "٤٠٠٦٣٨١٣٣٣٩٣١", "4006381333931"),
        (.invisible, "PEN\u{A0}7", "PEN 7"), (.invisible, "P\u{AD}EN", "PEN"),
        (.spreadsheetCode, "'4006381333931", "4006381333931"),
        (.spreadsheetCode, "4006381333931.0", "4006381333931"),
        (.spreadsheetCode, "4006381333931,0", "4006381333931"),
        (.spreadsheetCode, "4006381333931.000", "4006381333931"),
        (.spreadsheetCode, "'4006381333931.0", "4006381333931"),
        (.spreadsheetCode, #"="4006381333931""#, "4006381333931"),
        // Digits marked as text and short numbers have lost no zeros.
        (.spreadsheetCode, "'4006381333932", "4006381333932"),
        (.spreadsheetCode, "'042100005264", "042100005264"),
        (.spreadsheetCode, "4011.0", "4011"), (.spreadsheetCode, "'4011", "4011"),
    ])
    func aCodeIsMendedIfNothingIsLost(
        kind: ImportNote.Kind, written: String, meant: String
    ) throws {
        let (codes, notes) = try take(written)
        #expect(codes == [meant])
        #expect(notes == [ImportNote(kind, written, meant: meant)])
    }

    @Test(arguments: [
        "42100005265", "3161484100", "123456", "421000052", "0123456", "4210000526X",
        "4006381333931", "42100005264|", "SKU-7", "12E5", "E+5", "A.0", "1.5", "'", "'A", "=\"\"",
        ".0", "1.0.0", "v1.0", "400638 133393,0", "'n' Sync",
    ])
    func anyOtherCodeIsItself(written: String) throws {
        let (codes, notes) = try take(written)
        #expect(codes == [written.replacing("|", with: "")])
        #expect(notes == [])
    }

    @Test(arguments: ["sku", "plu", "PZN", "Custom SKU", "Internal Reference"])
    func theShopsOwnNumbersStay(column: String) throws {
        #expect(try take("1234565", column: column).codes == ["1234565"])
    }

    @Test func theyStayIfToldSo() throws {
        let (codes, notes) = try take("42100005264", keeping: true)
        #expect(codes == ["42100005264"])
        #expect(notes == [])
    }

    @Test func aBarAtTheEndKeepsThem() throws {
        #expect(try take("\u{A0}PEN\u{200B}|").codes == ["\u{A0}PEN\u{200B}"])
        #expect(try take("PEN\u{200B}|42100005264").codes == ["PEN", "42100005264"])
    }

    @Test func aCodeOfNothingVisibleIsNone() throws {
        #expect(try take("\u{200B}").codes == [])
    }

    @Test func lettersAreComparedHoweverTheyAreComposed() throws {
        let (codes, notes) = try take("KA\u{308}SE")
        #expect(codes.map { Array($0.utf8) } == [Array("K\u{C4}SE".utf8)])
        #expect(notes == [])
    }

    @Test func aScanFindsACodeHoweverItsLettersAreComposed() throws {
        let catalog = try catalog("id,ean\n1,KA\u{308}SE\n2,R\u{C9}GAL\n")
        for (text, id) in [("K\u{C4}SE", "1"), ("KA\u{308}SE", "1"), ("RE\u{301}GAL", "2")] {
            #expect(try catalog.id(scanning: text) == id)
        }
    }

    /// The number may have lost a zero before its first digit, or any other digit.
    @Test(arguments: ["4006381333932.0", "40063813339312345.0", "12345678.0"])
    func aNumberThatMayHaveLostDigitsIsAnError(code: String) throws {
        try expectError(
            code,
            "was taken for a number by a spreadsheet; expected its digits alone, with any zeros ahead."
        )
    }

    @Test(arguments: [
        "1.5E+3", "4.00638E+12", "4,00638E+12", "4.00638e+12", "4E+12", "4.00638E12",
        "'4.00638E+12",
    ])
    func aRoundedCodeIsAnError(code: String) throws {
        try expectError(code, "was rounded by a spreadsheet; expected all its digits.")
    }

    private func expectError(_ code: String, _ reason: String) throws {
        #expect(try take(code).codes == ["Line 2: The code \"\(code)\" \(reason)"])
    }
}
