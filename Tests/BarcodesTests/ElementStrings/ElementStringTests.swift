import Barcodes
import Testing

struct ElementStringTests {
    /// Decodes a text, and returns the elements with brackets and the codes of the problems.
    private func read(_ text: String, aim: String? = "]d2") -> (String?, [Problem.Code]) {
        let barcode = BarcodeDecoder().decode(text, aim: aim)
        return (barcode.gs1?.bracketed, barcode.problems.map(\.code))
    }

    @Test(arguments: [
        ("0109506000134352", "(01)09506000134352"),
        ("010950600013435217261231", "(01)09506000134352(17)261231"),
        (
            "01095060001343521726123110LOT-7\u{1D}21SER9",
            "(01)09506000134352(17)261231(10)LOT-7(21)SER9"
        ),
        ("010950600013435210LOT-7\u{1D}17261231", "(01)09506000134352(10)LOT-7(17)261231"),
        ("010950600013435210LOT-7\u{1D}", "(01)09506000134352(10)LOT-7"),
        ("0109506000134352\u{1D}10LOT-7", "(01)09506000134352(10)LOT-7"),
        ("0109506000134352\u{1D}17261231\u{1D}10LOT", "(01)09506000134352(17)261231(10)LOT"),
        ("00340123450000000000", "(00)340123450000000000"),
        ("01095060001343523103001750", "(01)09506000134352(3103)001750"),
        ("0109506000134352235ABC\u{1D}10X", "(01)09506000134352(235)ABC(10)X"),
        ("0109506000134352422276", "(01)09506000134352(422)276"),
        ("0109506000134352422276\u{1D}10A", "(01)09506000134352(422)276(10)A"),
        ("01095060001343523922349\u{1D}3103001750", "(01)09506000134352(3922)349(3103)001750"),
        ("0109506000134352990\u{1D}91A", "(01)09506000134352(99)0(91)A"),
    ])
    func aScannersDataIsRead(data: String, bracketed: String) {
        let (elements, problems) = read(data)
        #expect(elements == bracketed)
        #expect(problems.isEmpty)
    }

    @Test(arguments: ["]C1", "]e0", "]e1", "]d2", "]d5", "]Q3", "]Q4", "]J1", "]z1", "]h2", "]L3"])
    func anIdentifierOfGS1IsEvidence(aim: String) {
        let (elements, problems) = read("010950600013435210A", aim: aim)
        #expect(elements == "(01)09506000134352(10)A")
        #expect(problems.isEmpty)
    }

    @Test(arguments: [nil, "]C0", "]A0", "]d1", "]Q1", "]L0", "]z0"])
    func withoutEvidenceNothingIsRead(aim: String?) {
        #expect(read("010950600013435210A", aim: aim).0 == nil)
    }

    @Test(arguments: [nil, "]C0", "]d1", "]Q1"])
    func aSeparatorIsEvidence(aim: String?) {
        let (elements, problems) = read("010950600013435210A\u{1D}21B", aim: aim)
        #expect(elements == "(01)09506000134352(10)A(21)B")
        #expect(problems.isEmpty)
    }

    @Test func aSeparatorInAnotherFormatProvesNothing() {
        #expect(read("[)>\u{1E}06\u{1D}10A\u{1D}21B", aim: nil).0 == nil)
        #expect(read("HELLO\u{1D}WORLD", aim: "]d1") == (nil, []))
    }

    @Test func anExtendedChannelAheadIsSkipped() {
        #expect(read("\\0000260109506000134352", aim: "]d5").0 == "(01)09506000134352")
    }

    @Test(arguments: [nil, "]C1", "]d2", "]Q3"])
    func fnc1InFirstPositionIsIgnored(aim: String?) {
        #expect(read("\u{1D}0109506000134352", aim: aim) == ("(01)09506000134352", []))
        let link = BarcodeDecoder().decode(
            "\u{1D}https://id.gs1.org/01/09506000134352", aim: aim)
        #expect(link.gtin?.text == "09506000134352")
        let wrong = BarcodeDecoder().decode("\u{1D}0109506000134353", aim: aim)
        #expect(wrong.problems.map(\.span) == [16..<17])
    }

    @Test(arguments: [
        ("https://example.com/x", Barcode.Kind.url), ("-03752864", .pzn),
        ("+A123BJC5D6E71G", .hibc),
        ("[)>\u{1E}06\u{1D}1PX\u{1E}\u{4}", .mh10), ("(01)09506000134352", .gs1),
        ("HELLO", .text),
    ])
    func whatFollowsFNC1MayBeAnything(text: String, kind: Barcode.Kind) {
        let barcode = BarcodeDecoder().decode("\u{1D}" + text, aim: nil)
        #expect(barcode.kind == kind)
        #expect(barcode.problems.isEmpty)
    }

    @Test func manyMarksDoNotNest() {
        let starts = String(repeating: "*\u{1D}", count: 100_000)
        let barcode = BarcodeDecoder().decode(starts + String(repeating: "*", count: 100_000))
        #expect(barcode.kind == .text)
        let stars = BarcodeDecoder().decode(String(repeating: "*", count: 100_000))
        #expect(stars.kind == .text && stars.problems.isEmpty)
    }

    @Test(arguments: [
        ("4006381333931", "04006381333931", "(400)6381333931"),
        ("96385074", "00000096385074", "(96)385074"),
        ("978-3-16-148410-0", "09783161484100", "(97)8-3-16-148410-0"),
    ])
    func aRetailNumberBesideFNC1IsNotLost(text: String, gtin: String, other: String) {
        for scanned in ["\u{1D}" + text, text + "\u{1D}", "\u{1D}" + text + "\u{1D}"] {
            let barcode = BarcodeDecoder().decode(scanned, aim: nil)
            #expect(barcode.gtin?.text == gtin)
            #expect(barcode.alternatives.map(\.gs1?.bracketed) == [other])
            #expect(barcode.problems.map(\.code) == [.ambiguous])
        }
    }

    @Test func whatBreaksTheRulesOfElementStringsIsNoSecondReading() {
        for scanned in ["\u{1D}036000291452", "036000291452\u{1D}"] {
            let barcode = BarcodeDecoder().decode(scanned, aim: nil)
            #expect(barcode.symbology == .upcA)
            #expect(barcode.problems.isEmpty && barcode.alternatives.isEmpty)
        }
        let wrong = BarcodeDecoder().decode("0109506000134353\u{1D}", aim: nil)
        #expect(wrong.kind == .gs1 && wrong.problems.map(\.code) == [.wrongCheckDigit])
    }

    @Test(arguments: [
        ("\u{1D}\u{1D}0109506000134352", [Problem.Code.misplacedFNC1], 1),
        ("0109506000134352\u{1D}\u{1D}10A", [.misplacedFNC1], 17),
        ("010950600013435210A\u{1D}\u{1D}", [.misplacedFNC1], 20),
        ("010950600013435210A\u{1D}\u{1D}21B", [.misplacedFNC1], 20),
    ])
    func aSeparatorTooManyIsMisplaced(data: String, codes: [Problem.Code], at: Int) {
        let barcode = BarcodeDecoder().decode(data, aim: "]C1")
        #expect(barcode.problems.map(\.code) == codes)
        #expect(barcode.problems.first?.at == at)
        #expect(barcode.gtin?.text == "09506000134352")
    }

    @Test(
        arguments: [
            ("05123", 0..<4, nil), ("0109506000134352051", 16..<19, "(01)09506000134352"),
            ("01095060001343526", 16..<17, "(01)09506000134352"),
            ("0109506000134352ABC", 16..<19, "(01)09506000134352"),
            ("0109506000134352180000001 ", 16..<20, "(01)09506000134352"),
            ("010950600013435205X\u{1D}10A", 16..<19, "(01)09506000134352(10)A"),
            ("31990000010109506000134352", 0..<4, "(01)09506000134352"),
            ("0412345678901234560109506000134352", 0..<4, "(01)09506000134352"),
            ("18123456" + "0109506000134352", 0..<4, "(01)09506000134352"),
            ("14123456" + "0109506000134352", 0..<4, "(01)09506000134352"),
            ("19123456" + "0109506000134352", 0..<4, "(01)09506000134352"),
            ("419" + "9506000134352" + "0109506000134352", 0..<4, "(01)09506000134352"),
            ("4181234567890123" + "0109506000134352", 0..<4, "(01)09506000134352"),
        ] as [(String, Range<Int>, String?)])
    func anUnknownIdentifierIsSkipped(data: String, span: Range<Int>, bracketed: String?) {
        let barcode = BarcodeDecoder().decode(data, aim: "]C1")
        #expect(barcode.problems.first?.code == .unknownAI)
        #expect(barcode.problems.first?.span == span)
        #expect(barcode.gs1?.bracketed == bracketed)
    }

    @Test(arguments: [
        ("0109506000134", [Problem.Code.wrongLength]), ("01", [.wrongLength]),
        ("010950600013435210", [.wrongLength]),
        ("010950600013435210ABCDEFGHIJKLMNOPQRSTU", [.wrongLength]),
        ("0109506000134352172612", [.wrongLength]),
        ("010950600013435217\u{1D}10A", [.wrongLength]),
        ("0109506000134352422\u{1D}10A", [.wrongLength]),
        ("0109506000134352310300175", [.wrongLength]),
        ("253950600013435", [.wrongLength]),
        ("01095060001343524309123", [.wrongLength, .requisiteMissing]),
    ])
    func aValueOfWrongLengthIsKept(data: String, codes: [Problem.Code]) {
        let barcode = BarcodeDecoder().decode(data, aim: "]C1")
        #expect(barcode.problems.map(\.code) == codes)
        #expect(barcode.gs1 != nil)
    }

    @Test func aComponentThatIsTooShortIsNamed() {
        let barcode = BarcodeDecoder().decode("(8008)2612312", aim: nil)
        #expect(
            barcode.problems.first?.message == """
                "2612312" in (8008) is invalid: expected 8 to 12 characters, got 7.
                """)
        let second = BarcodeDecoder().decode("(8008)261231231", aim: nil)
        #expect(
            second.problems.first?.message == """
                "261231231" in (8008) is invalid: expected 2 characters, got 1.
                """)
        #expect(second.problems.first?.span == 14..<15)
    }

    @Test func theFirstKeyTellsTheCheckDigit() {
        let decoder = BarcodeDecoder()
        #expect(decoder.decode("0109506000134352", aim: "]C1").checkDigit == .valid)
        #expect(decoder.decode("0109506000134353", aim: "]C1").checkDigit == .invalid)
        #expect(decoder.decode("0109506000134353", aim: "]C1").gtin == nil)
        #expect(decoder.decode("00340123450000000000", aim: "]C1").checkDigit == .valid)
        #expect(decoder.decode("00340123450000000001", aim: "]C1").checkDigit == .invalid)
        #expect(decoder.decode("10ABC", aim: "]C1").checkDigit == nil)
    }

    @Test func charactersAreCountedNotBytes() {
        let barcode = BarcodeDecoder().decode("10é\u{1D}\u{1D}17261331", aim: "]C1")
        #expect(
            barcode.problems.filter { $0.severity == .error }.map(\.span) == [2..<3, 4..<5, 9..<11])
    }

    @Test func couponsAreTold() {
        let decoder = BarcodeDecoder()
        #expect(decoder.decode("8112001234561234560123456", aim: "]e0").kind == .coupon)
        #expect(decoder.decode("0109506000134352", aim: "]e0").kind == .gs1)
    }

    @Test func theFirstOfTwoGTINsIsTheProducts() {
        let barcode = BarcodeDecoder().decode("01095060001343520115400141288763", aim: "]C1")
        #expect(barcode.gtin?.text == "09506000134352")
        #expect(barcode.problems.map(\.code) == [.repeatedAIDiffers])
    }
}
