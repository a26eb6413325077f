import Barcodes
import Testing

struct MissingSeparatorTests {
    private func suspect(_ data: String) -> Problem? {
        BarcodeDecoder().decode(data, aim: "]C1").problems.first {
            $0.code == .fnc1MissingSuspect
        }
    }

    @Test(arguments: [
        ("010950600013435210LOT717261231", 22), ("010950600013435210LOT71726123121SER9", 22),
        ("010950600013435221SER911260101", 22), ("10LOT70109506000134352", 6),
        ("010950600013435210A17261200", 19), ("0109506000134352240X15261231", 20),
        ("010950600013435210ABC\u{1D}21SER17261231", 27), ("3750109506000134352", 3),
        ("10ABC00340123450000000000", 5), ("010950600013435210LOT3103001750", 21),
        ("010950600013435210LOT310300175017261231", 21), ("010950600013435230510LOT", 19),
        ("010950600013435230510A", 19),
        // Two separators are lost.
        ("010950600013435210LOTNUMBER1234521SERIAL123456789017271231", 32),
    ])
    func aFieldThatSwallowedOthersIsSuspect(data: String, at: Int) throws {
        let problem = try #require(suspect(data))
        #expect(problem.at == at)
        #expect(problem.severity == .warning)
        #expect(problem.span?.upperBound == data.unicodeScalars.count)
    }

    @Test(arguments: [
        "010950600013435210LOT7", "010950600013435210LOT7\u{1D}17261231",
        "010950600013435210LOT17261331", "010950600013435210LOT1726123",
        "010950600013435210172612311",
        "010950600013435217261231" + "10LOT17261230", "010950600013435210LOT0109506000134353",
        "010950600013435210ABCDEFGHIJKLM", "010950600013435210LOT310300175",
        "01095060001343523103001750" + "10LOT3103001751", "010950600013435221123456789012",
        "9117261231",
        "010950600013435210LOT1726123105X",
    ])
    func whatDoesNotReadAsElementStringsIsNot(data: String) {
        #expect(suspect(data) == nil)
    }

    @Test func whatWasReadIsKept() throws {
        let barcode = BarcodeDecoder().decode("010950600013435210LOT717261231", aim: "]C1")
        #expect(barcode.gs1?.bracketed == "(01)09506000134352(10)LOT717261231")
        #expect(
            barcode.problems.map(\.message) == [
                "\"LOT717261231\" in (10) is suspect: expected FNC1 before \"17261231\", "
                    + "which reads as element strings, got none."
            ])
    }

    /// Marking codes as they are printed, without the separators between their parts.
    @Test(arguments: [
        ("0109001432002380215ahbhn93lMv9", "93lMv9"),
        ("010460393400079321Kf%2oAZH893abcd", nil),
        ("010460393400079321ABCDEFG93dGVz", "93dGVz"),
        (
            "010460393400079321Kf%2oAZH8ZFB191EE0692" + String(repeating: "q", count: 43) + "=",
            "91EE0692" + String(repeating: "q", count: 43) + "="
        ),
        ("010460393400079321Kf%2oAZH8ZFB191EE06", "91EE06"),
    ])
    func theSerialNumberOfAMarkingCodeIsSuspect(text: String, tail: String?) {
        for (aim, settings) in [
            (nil, BarcodeDecoder.Settings()), (nil, .init(content: .gs1)), ("]d2", .init()),
        ] {
            let barcode = BarcodeDecoder(settings: settings).decode(text, aim: aim)
            let suspect = barcode.problems.first { $0.code == .fnc1MissingSuspect }
            #expect((suspect != nil) == (tail != nil), "\(barcode.problems)")
            guard let tail else { continue }
            #expect(suspect?.at == text.utf8.count - tail.utf8.count)
            if aim == nil, settings.content == .any {
                #expect(barcode.problems.first?.code == .fnc1MissingSuspect)
            }
        }
    }
}
