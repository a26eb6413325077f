import Barcodes
import Testing

struct BracketTests {
    @Test(arguments: [
        ("(01)09506000134352", ["01", "09506000134352"]),
        ("(01)09506000134352(10)LOT-7", ["01", "09506000134352", "10", "LOT-7"]),
        ("(01)09506000134352(10)A(B)C", ["01", "09506000134352", "10", "A(B)C"]),
        ("(01)09506000134352(10)A(1)C", ["01", "09506000134352", "10", "A(1)C"]),
        ("(01)09506000134352(10)A(12345)C", ["01", "09506000134352", "10", "A(12345)C"]),
        ("(01)09506000134352(10)A\\(21)C", ["01", "09506000134352", "10", "A(21)C"]),
        ("(01)09506000134352(10)(", ["01", "09506000134352", "10", "("]),
        ("(01)09506000134352(10)(21", ["01", "09506000134352", "10", "(21"]),
        ("(01)09506000134352(3103)001750", ["01", "09506000134352", "3103", "001750"]),
        ("(253)9506000134352ABC", ["253", "9506000134352ABC"]),
    ])
    func valuesStandBetweenIdentifiersInBrackets(text: String, pairs: [String]) {
        let barcode = BarcodeDecoder().decode(text, aim: nil)
        #expect(barcode.gs1?.elements.flatMap { [$0.ai, $0.value] } == pairs)
        #expect(barcode.problems.isEmpty)
        #expect(barcode.kind == .gs1)
        #expect(barcode.symbology == nil)
    }

    @Test(arguments: ["(1)23", "(ab)12", "(12345)1", "(01", "()", "(01 )1", "01)23", "(0é)1"])
    func otherBracketsAreText(text: String) {
        let barcode = BarcodeDecoder().decode(text, aim: nil)
        #expect(barcode.kind == .text)
        #expect(barcode.problems.isEmpty)
    }

    @Test(arguments: [
        ("(05)123", 1..<3), ("(01)09506000134352(0)1(999)A", 23..<26), ("(3199)000001", 1..<5),
        ("(011)1", 1..<4),
    ])
    func anUnknownIdentifierIsTold(text: String, span: Range<Int>) throws {
        let problem = try #require(
            BarcodeDecoder().decode(text, aim: nil).problems.first { $0.code == .unknownAI })
        #expect(problem.span == span)
    }

    @Test func anEscapedBadValueIsMarkedWhole() {
        let barcode = BarcodeDecoder().decode("(10)A\\(21)~", aim: nil)
        #expect(barcode.problems.first?.code == .wrongCharacter)
        #expect(barcode.problems.first?.span == 4..<11)
    }

    @Test func bracketsMayComeWithAnIdentifierOfGS1() {
        let barcode = BarcodeDecoder().decode("(01)09506000134352", aim: "]C1")
        #expect(barcode.gtin?.text == "09506000134352")
        #expect(barcode.symbology == .gs1128)
    }
}
