import Barcodes
import Testing

struct ElementStringRulesTests {
    private func problems(_ text: String) -> [String] {
        BarcodeDecoder().decode(text, aim: nil).problems.map {
            "\($0.code.rawValue) \($0.at ?? -1)"
        }
    }

    @Test(arguments: [
        "(01)09506000134352(10)A", "(00)340123450000000000(02)09506000134352(37)5",
        "(01)09506000134352(21)A(250)B", "(01)09506000134352(3920)100(30)5",
        "(01)09506000134352(3920)100(3101)000100", "(8020)A(415)9506000134352",
        "(01)09506000134352(10)A(7004)12", "(00)340123450000000000(403)X",
        "(01)09506000134352(10)A(21)B(8030)abc", "(8010)12345(8011)1",
        "(255)9506000134352123(3900)1",
    ])
    func aRequisiteThatIsThereIsEnough(text: String) {
        #expect(problems(text).isEmpty)
    }

    @Test(arguments: [
        ("(253)9506000134352(8030)abc", ["missing-serial 5"]),
        ("(253)9506000134352X(8030)abc", []), ("(253)9506000134352", []),
        ("(255)9506000134352(8030)abc", ["missing-serial 5"]),
        ("(8003)09506000134352(8030)abc", ["missing-serial 6"]),
        ("(8003)09506000134352S(8030)abc", []),
    ])
    func aSignatureNeedsTheSerialComponentOfItsKey(text: String, expected: [String]) {
        #expect(problems(text).filter { !$0.hasPrefix("requisite") } == expected)
    }

    @Test(arguments: [
        ("(10)A", ["requisite-missing 4"]), ("(17)261231", ["requisite-missing 4"]),
        ("(01)09506000134352(250)B", ["requisite-missing 23"]),
        ("(01)09506000134352(7004)12", ["requisite-missing 24"]),
        ("(02)09506000134352", ["requisite-missing 4"]), ("(21)A", ["requisite-missing 4"]),
        ("(37)5", ["requisite-missing 4", "requisite-missing 4"]),
        ("(3920)100(30)5", ["requisite-missing 6", "requisite-missing 13"]),
        ("(8011)1", ["requisite-missing 6"]), ("(403)X", ["requisite-missing 5"]),
    ])
    func aRequisiteMayStandOnAnotherSymbol(text: String, expected: [String]) {
        #expect(problems(text) == expected)
    }

    @Test(arguments: [
        ("(10)A", "(01), (02), (03), (8006) or (8026)"), ("(403)X", "(00)"),
        ("(01)09506000134352(3920)100", "(30), (31nn), (32nn), (35nn) or (36nn)"),
        ("(7004)12", "(01)+(10)"), ("(8019)1", "(8017) or (8018)"),
        (
            "(8030)abc",
            "(00), (01)+(21), (253), (255), (8003), (8004), (8006)+(21), (8010)+(8011), "
                + "(8017) or (8018)"
        ),
    ])
    func aMissingRequisiteIsNamed(text: String, requisite: String) {
        let problem = BarcodeDecoder().decode(text, aim: nil).problems.last
        #expect(problem?.severity == .warning)
        #expect(problem?.message.contains("expected \(requisite) on the same item") == true)
    }

    @Test(arguments: [
        ("(01)09506000134352(255)9506000134352123", ["exclusive-pair 4"]),
        (
            "(00)340123450000000000(01)09506000134352(37)5(02)15400141288763",
            ["exclusive-pair 26", "exclusive-pair 49"]
        ),
        ("(01)09506000134352(3100)000100(3101)000010", ["exclusive-pair 24"]),
        ("(01)09506000134352(21)A(235)B", ["exclusive-pair 22"]),
        ("(00)340123450000000000(4330)002500(4331)002500", ["exclusive-pair 28"]),
        ("(01)09506000134352(422)276(426)276", ["exclusive-pair 23"]),
        ("(420)123(421)276123", ["exclusive-pair 5"]),
        ("(8017)950600013435200001(8018)950600013435200001", ["exclusive-pair 6"]),
        ("(01)09506000134352(03)09506000134352", ["exclusive-pair 22"]),
        ("(01)09506000134352(8006)095060001343520102", ["exclusive-pair 24"]),
    ])
    func whatExcludesEachOtherIsToldOnce(text: String, expected: [String]) {
        #expect(problems(text).filter { !$0.hasPrefix("wrong") } == expected)
    }

    @Test(arguments: [
        ("(01)09506000134352(10)A(10)A", []), ("(01)09506000134352(01)09506000134352", []),
        ("(01)09506000134352(10)A(10)B", ["repeated-ai-differs 27"]),
        ("(01)09506000134352(01)15400141288763", ["repeated-ai-differs 22"]),
        ("(01)09506000134352(10)A(10)A(10)B", ["repeated-ai-differs 32"]),
        ("(01)09506000134352(17)261231(17)261230", ["repeated-ai-differs 32"]),
    ])
    func aRepeatedIdentifierMustAgreeWithItself(text: String, expected: [String]) {
        #expect(problems(text) == expected)
    }

    @Test func messagesAreSentences() {
        let text = "(01)09506000134352(10)A(10)B(255)9506000134352"
        #expect(
            BarcodeDecoder().decode(text, aim: nil).problems.map(\.message) == [
                "(01) and (255) exclude each other: expected one of them, got both.",
                "(10) comes twice: expected \"A\" again, got \"B\".",
            ])
    }
}
