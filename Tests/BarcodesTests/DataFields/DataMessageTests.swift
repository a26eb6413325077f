import Testing

@testable import Barcodes

struct DataMessageTests {
    private static let fields = [
        "P": "PART-1", "1P": "MPN 2/3", "30P": "732-8660-1-ND", "K": "", "1K": "86761783",
        "10K": "104669300", "9D": "1437", "1T": "31751", "11K": "1", "4L": "CN", "Q": "11",
    ]

    private static func message(
        start: String = "[)>", _ record: String, _ group: String, end: String
    ) -> String {
        let elements = fields.sorted { $0.key < $1.key }.map { $0.key + $0.value }
        return start + record + "06" + group + elements.joined(separator: group) + end
    }

    @Test(arguments: [
        ("\u{1E}", "\u{1D}", "\u{1E}\u{4}"), ("\u{1E}", "\u{1D}", ""), ("", "\u{1D}", ""),
        ("\u{F70C}", "\u{F70B}", "\u{F70C}\u{F701}"), ("<RS>", "<GS>", "<RS><EOT>"),
        ("{RS}", "{GS}", "{RS}{EOT}"), ("^^", "^]", "^^^D"), ("\\x1e", "\\x1d", "\\x1e\\x04"),
        ("\\u001E", "\\u001D", ""), ("\u{241E}", "\u{241D}", "\u{241E}\u{2404}"),
        ("^", "]", "^"), ("|", "|", ""), ("~d030", "~d029", ""), ("[RS]", "[GS]", "[RS][EOT]"),
    ])
    func theHeaderShowsTheSeparators(record: String, group: String, end: String) throws {
        for start in ["[)>", ">[)>"] {
            let text = Self.message(start: start, record, group, end: end)
            let message = try #require(DataMessage(text), "\(text)")
            let found = message.fields.compactMap { field in
                field.identifier.map { ($0, field.value) }
            }
            #expect(Dictionary(found) { $1 } == Self.fields, "\(text)")
            #expect(message.fields.count == Self.fields.count)
            #expect(message.fields.allSatisfy { $0.title != nil })
            #expect(!message.hasLostSeparators)
        }
    }

    @Test(arguments: ["", "RS", "RSEOT"])
    func bareNamesAreSeparatorsInDoubt(end: String) throws {
        let text = Self.message("RS", "GS", end: end)
        let barcode = BarcodeDecoder().decode(text, aim: nil)
        #expect(
            Dictionary(barcode.fields.map { ($0.identifier ?? "", $0.value) }) { $1 } == Self.fields
        )
        #expect(barcode.problems.map(\.code) == [.fnc1MissingSuspect])
        #expect(barcode.problems.allSatisfy { $0.severity == .warning })
        let letters = try #require(DataMessage("[)>RS06GS1PLEGS-RS1GSQ10"))
        #expect(letters.fields.map(\.value) == ["LEGS-RS1", "10"])
    }

    @Test func lostSeparatorsAreNoticed() {
        for text in ["[)>06PYAG3365CT-ND1PRT1206Q100", "[)>\u{1E}0629PX", "[)>3006PX"] {
            let message = DataMessage(text)
            #expect(message == nil || message?.hasLostSeparators == true)
            #expect(message?.fields.isEmpty ?? true)
        }
        #expect(DataMessage("[)>06PYAG3365CT-ND1PRT1206Q100")?.hasLostSeparators == true)
    }

    @Test(arguments: [
        "", "[)>", "[)>\u{1E}05\u{1D}0109506000134352", "[)>\u{1E}06", "[)>\u{1E}06\u{1D}",
        "[)>\u{1E}06\u{1D}\u{1E}\u{4}", "06\u{1D}PX", "[)>x06\u{1D}PX",
    ])
    func anotherTextIsNone(text: String) {
        #expect(DataMessage(text) == nil)
    }

    @Test func aFieldWithoutIdentifierIsKept() {
        let message = DataMessage("[)>\u{1E}06\u{1D}PX\u{1D}0\u{1D}Q5\u{1E}\u{4}")
        #expect(message?.fields.map(\.identifier) == ["P", nil, "Q"])
        #expect(message?.fields.map(\.value) == ["X", "0", "5"])
    }

    @Test(arguments: [
        ("D280131", "2028-01-31"), ("16D20201231", "2020-12-31"), ("14D20260400", "2026-04"),
        ("D280231", nil), ("9D1437", nil), ("6D20261125002", "2026-11-25"), ("DX", nil),
    ])
    func datesAreRead(element: String, date: String?) {
        #expect(DataField(element: element)?.date(currentYear: 2026)?.description == date)
    }

    @Test func aLabelIsAReadingOfItsOwn() {
        let text = Self.message("\u{1E}", "\u{1D}", end: "\u{1E}\u{4}")
        for aim in [nil, "]d1", "]Q1"] {
            let barcode = BarcodeDecoder().decode(text, aim: aim)
            #expect(barcode.kind == .mh10)
            #expect(barcode.fields.count == Self.fields.count)
            #expect(barcode.problems.isEmpty)
        }
        let lost = BarcodeDecoder().decode("[)>06PYAG3365CT-ND1PRT1206Q100", aim: nil)
        #expect(lost.kind == .mh10)
        #expect(lost.problems.map(\.code) == [.fnc1MissingSuspect])
    }

    @Test func aGTINIsTheProducts() {
        let barcode = BarcodeDecoder().decode(
            "[)>\u{1E}06\u{1D}8P04006381333931\u{1D}Q5\u{1E}", aim: nil)
        #expect(barcode.gtin?.text == "04006381333931")
        #expect(barcode.checkDigit == .valid)
        let wrong = BarcodeDecoder().decode(
            "[)>\u{1E}06\u{1D}8P04006381333932\u{1D}Q5\u{1E}", aim: nil)
        #expect(wrong.gtin == nil)
        #expect(wrong.problems.map(\.code) == [.wrongCheckDigit])
    }
}
