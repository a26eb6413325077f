import Catalog
import Testing

/// What becomes of codes on their way out of spreadsheets and clipboards.
@Suite struct CodeReaderTests {
    private func take(
        _ csv: String, _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> (codes: [String], notes: [ImportNote]) {
        let catalog = try CatalogFile.inMemory()
        var options = ImportOptions()
        change(&options)
        var notes: [ImportNote] = []
        try catalog.importCSV(bytes: Array(csv.utf8), name: "x", options: options) {
            if case .note(let note, _) = $0 { notes.append(note) }
        }
        let id = csv.hasPrefix("id") ? "1" : nil
        return (try catalog.product(id: id ?? "")?.codes ?? [], notes)
    }

    @Test(arguments: [
        ("42100005264", "042100005264"), ("7023001236", "007023001236"), ("1234565", "01234565"),
        ("4252614", "04252614"), ("42100005264.0", "042100005264"),
    ])
    func zerosThatASpreadsheetDroppedComeBack(written: String, meant: String) throws {
        let (codes, notes) = try take("id,ean\n1,\(written)\n")
        #expect(codes == [meant])
        #expect(notes == [ImportNote(.lostZeros, written, meant: meant)])
    }

    @Test(arguments: [
        "42100005265", "3161484100", "123456", "421000052", "0123456", "4210000526X",
        "4006381333931", "42100005264|",
    ])
    func otherNumbersStay(written: String) throws {
        let (codes, notes) = try take("id,ean\n1,\(written)\n")
        #expect(codes == [written.replacing("|", with: "")])
        #expect(notes == [])
    }

    @Test(arguments: ["sku", "plu", "PZN", "Custom SKU", "Internal Reference"])
    func theShopsOwnNumbersStay(column: String) throws {
        #expect(try take("id,\(column)\n1,1234565\n").codes == ["1234565"])
    }

    @Test func theyStayIfToldSo() throws {
        let (codes, notes) = try take("id,ean\n1,42100005264\n") { $0.keepsCodes = true }
        #expect(codes == ["42100005264"])
        #expect(notes == [])
    }

    @Test func anExportKeepsWhatLooksLikeALostZero() throws {
        let catalog = try CatalogFile.inMemory()
        var options = ImportOptions()
        options.keepsCodes = true
        let csv = "id,ean\n1,42100005264\n2,4006381333931|1234565\n"
        try catalog.importCSV(bytes: Array(csv.utf8), name: "x", options: options)
        let exported = try catalog.exported()
        #expect(try catalogText(exported) == exported)
    }

    @Test(arguments: [
        ("\u{202D}4006381333931\u{202C}", "4006381333931"),
        ("4006381\u{200B}333931", "4006381333931"),
        ("\u{FEFF}4006381333931", "4006381333931"), ("4006381333931\u{A0}", "4006381333931"),
        ("４００６３８１３３３９３１", "4006381333931"), ("٤٠٠٦٣٨١٣٣٣٩٣١", "4006381333931"),
        ("PEN\u{A0}7", "PEN 7"), ("P\u{AD}EN", "PEN"),
    ])
    func whatCannotBeSeenGoes(written: String, meant: String) throws {
        let (codes, notes) = try take("id,ean\n1,\(written)\n")
        #expect(codes == [meant])
        #expect(notes == [ImportNote(.invisible, written, meant: meant)])
    }

    @Test func aBarAtTheEndKeepsThem() throws {
        #expect(try take("id,ean\n1,\u{A0}PEN\u{200B}|\n").codes == ["\u{A0}PEN\u{200B}"])
        #expect(try take("id,ean\n1,PEN\u{200B}|42100005264\n").codes == ["PEN", "42100005264"])
    }

    @Test func aCodeOfNothingVisibleIsNone() throws {
        #expect(try take("id,ean\n1,\u{200B}\n").codes == [])
    }

    @Test func lettersAreComparedHoweverTheyAreComposed() throws {
        let (codes, notes) = try take("id,ean\n1,KA\u{308}SE\n")
        #expect(codes.map { Array($0.utf8) } == [Array("K\u{C4}SE".utf8)])
        #expect(notes == [])
    }

    @Test func aScanFindsACodeHoweverItsLettersAreComposed() throws {
        let catalog = try catalog("id,ean\n1,KA\u{308}SE\n2,R\u{C9}GAL\n")
        for (text, id) in [("K\u{C4}SE", "1"), ("KA\u{308}SE", "1"), ("RE\u{301}GAL", "2")] {
            #expect(try catalog.id(scanning: text) == id)
        }
    }

    @Test(arguments: ["1.5E+3", "4.00638E+12", "4,00638E+12"])
    func aRoundedCodeIsAnError(code: String) throws {
        #expect(throws: ImportError.self) { try take("id;ean\n1;\(code)\n") }
    }
}

private func catalogText(_ csv: String) throws -> String { try catalog(csv).exported() }
