import Barcodes
import Testing

struct DigitalLinkTests {
    private let decoder = BarcodeDecoder()

    @Test(arguments: [
        ("https://id.gs1.org/01/09506000134352", "(01)09506000134352"),
        ("http://id.gs1.org/01/09506000134352", "(01)09506000134352"),
        ("HTTPS://ID.GS1.ORG/01/09506000134352", "(01)09506000134352"),
        ("Https://example.com/01/09506000134352", "(01)09506000134352"),
        ("https://id.gs1.org/01/09506000134352/", "(01)09506000134352"),
        ("https://x/01/09506000134352/10/L/?17=261231", "(01)09506000134352(10)L(17)261231"),
        ("hTTp://example.com/01/09506000134352", "(01)09506000134352"),
        ("https://example.com:8080/a/b/01/09506000134352", "(01)09506000134352"),
        (
            "https://id.gs1.org/01/09506000134352/10/LOT-7/21/SER9?17=261231",
            "(01)09506000134352(10)LOT-7(21)SER9(17)261231"
        ),
        (
            "https://id.gs1.org/01/09506000134352/22/2A/10/L/21/S",
            "(01)09506000134352(22)2A(10)L(21)S"
        ),
        ("https://id.gs1.org/01/09506000134352/235/TP", "(01)09506000134352(235)TP"),
        (
            "https://id.gs1.org/00/340123450000000000?3300=000123",
            "(00)340123450000000000(3300)000123"
        ),
        ("https://id.gs1.org/414/9506000134352/254/A%2FB", "(414)9506000134352(254)A/B"),
        ("https://id.gs1.org/8003/09506000134352A?99=x%20y", "(8003)09506000134352A(99)x y"),
        (
            "https://id.gs1.org/01/09506000134352?17=261231;99=a&b&=&x=1#f?10=B",
            "(01)09506000134352(17)261231(99)a"
        ),
        (
            "https://id.gs1.org/01/09506000134352?linkType=gs1:pip&3103=001750",
            "(01)09506000134352(3103)001750"
        ),
        ("https://id.gs1.org/01/09506000134352/10/A%41%2", "(01)09506000134352(10)AA%2"),
        ("https://id.gs1.org/01/15400141288763/01/09506000134352", "(01)09506000134352"),
        ("https://id.gs1.org/01/09506000134352?99=a+b", "(01)09506000134352(99)a b"),
    ])
    func aLinkIsReadOnAnyDomain(text: String, bracketed: String) {
        let barcode = decoder.decode(text, aim: "]Q1")
        #expect(barcode.kind == .gs1)
        #expect(barcode.gs1?.bracketed == bracketed)
        #expect(barcode.symbology == .qrCode)
        #expect(decoder.decode(text, aim: nil).gs1?.bracketed == bracketed)
    }

    @Test(arguments: [
        ("https://id.gs1.org/01/09506000134352?99=a&99=a", 42..<46, "invalid-digital-link"),
        ("https://id.gs1.org/8018/950600013435200008?8018=1", 43..<49, "invalid-digital-link"),
        ("https://id.gs1.org/01/09506000134352/10/a b", 41..<42, "wrong-character"),
        ("https://id.gs1.org/01/09506000134352?99=a|b", 41..<42, "wrong-character"),
        ("https://id.gs1.org/01/09506000134352?99=é", 40..<41, "wrong-character"),
        ("https://id.gs1.org/01/09506000134352?x={y}", 39..<40, "wrong-character"),
    ])
    func whatComesTwiceOrIsNoCharacterOfAURIIsAProblem(
        text: String, span: Range<Int>, code: String
    ) {
        let problems = decoder.decode(text, aim: "]Q1").problems
        #expect(problems.contains { $0.code.rawValue == code && $0.span == span }, "\(problems)")
    }

    @Test(arguments: [
        "https://example.com", "https://example.com/", "https://example.com/shop?01=1",
        "http://a/b", "https:///01/09506000134352", "https://a_b/01/09506000134352",
        "https://id.gs1.org/10/LOT", "https://id.gs1.org/00/340123450000000000/",
        "https://x/2026/01/15", "https://x/01/09506000134353", "https://x/01/950600013435",
        "https://x/2026/00/15", "https://x/8004/15", "https://x/01/15/",
        "https://id.gs1.org/01/09506000134352/xx/1", "https://id.gs1.org/1/2/3",
        "https://id.gs1.org/gtin/09506000134352", "https://id.gs1.org/011/09506000134352",
        "https://example.com?/01/09506000134352", "https://example.com#/01/09506000134352",
        "https://example.com/AQAAAAAAAAA", "https://example.com/abc", "https://x/AAAAAAAAAAAAAAAA_",
        "https://example.com/a+b+c+d+e+f+g",
    ])
    func anyOtherAddressIsAnAddress(text: String) {
        let barcode = decoder.decode(text, aim: nil)
        #expect(barcode.kind == .url)
        #expect(barcode.gs1 == nil)
        #expect(barcode.problems.isEmpty)
    }

    @Test(arguments: [
        "https://x/01/9506000134352", "https://x/01/036000291452", "https://x/01/96385074",
    ])
    func aGTINMayLackItsLeadingZeros(text: String) throws {
        let barcode = decoder.decode(text, aim: nil)
        #expect(barcode.kind == .gs1)
        #expect(barcode.gtin == (try GTIN(String(text.dropFirst(13)))))
    }

    @Test(arguments: [
        "ftp://id.gs1.org/01/09506000134352", "id.gs1.org/01/09506000134352", "http:/x", "https:",
    ])
    func withoutItsSchemeItIsText(text: String) {
        #expect(decoder.decode(text, aim: nil).kind == .text)
    }

    @Test(arguments: [
        (
            "https://id.gs1.org/01/09506000134352/21/S/10/L", Problem.Code.invalidDigitalLink,
            42..<46
        ),
        ("https://id.gs1.org/01/09506000134352/10/L/22/A", .invalidDigitalLink, 42..<46),
        ("https://id.gs1.org/01/09506000134352/235/A/21/S", .invalidDigitalLink, 43..<47),
        ("https://id.gs1.org/01/09506000134352/17/261231", .invalidDigitalLink, 37..<46),
        ("https://id.gs1.org/01/09506000134352?8200=x", .invalidDigitalLink, 37..<43),
        ("https://id.gs1.org/01/09506000134352?254=x", .invalidDigitalLink, 37..<42),
        ("https://id.gs1.org/01/09506000134352?10=L", .invalidDigitalLink, 37..<41),
        ("https://id.gs1.org/01/09506000134352?21=S", .invalidDigitalLink, 37..<41),
        ("https://id.gs1.org/01/09506000134352?05=1", .unknownAI, 37..<39),
        ("https://id.gs1.org/01/09506000134352?011=1", .unknownAI, 37..<40),
        ("https://id.gs1.org/01/09506000134353", .wrongCheckDigit, 35..<36),
        ("https://id.gs1.org/01/9506000134352", .wrongLength, 22..<35),
        ("https://id.gs1.org/01/09506000134352?17=261331", .invalidValue, 42..<44),
        ("https://id.gs1.org/01/09506000134352/10/%7E", .wrongCharacter, 40..<43),
        ("https://id.gs1.org/01/09506000134352/10/", .wrongLength, 40..<40),
        ("https://id.gs1.org/8018/950600013435200008?8019=1", .invalidDigitalLink, 43..<49),
    ])
    func whatIsWrongInALinkIsMarked(text: String, code: Problem.Code, span: Range<Int>) throws {
        let barcode = decoder.decode(text, aim: nil)
        #expect(barcode.kind == .gs1)
        let problem = try #require(barcode.problems.first { $0.code == code })
        #expect(problem.span == span)
        #expect(problem.severity == .error)
    }

    @Test(arguments: [
        ("(01)09506000134352", "https://id.gs1.org/01/09506000134352"),
        (
            "(17)261231(01)09506000134352(21)S/9(10)L",
            "https://id.gs1.org/01/09506000134352/10/L/21/S%2F9?17=261231"
        ),
        (
            "(01)09506000134352(99)z(3103)001750(17)261231(15)261201",
            "https://id.gs1.org/01/09506000134352?15=261201&17=261231&3103=001750&99=z"
        ),
        ("(01)09506000134352(235)T", "https://id.gs1.org/01/09506000134352/235/T"),
        (
            "(00)340123450000000000(02)15400141288763(37)5",
            "https://id.gs1.org/00/340123450000000000?02=15400141288763&37=5"
        ),
        ("(8017)950600013435200008(8019)12", "https://id.gs1.org/8017/950600013435200008/8019/12"),
        ("(01)09506000134352(10)A(10)A", "https://id.gs1.org/01/09506000134352/10/A"),
        ("(01)09506000134352(99)A(99)A", "https://id.gs1.org/01/09506000134352?99=A"),
        (
            "(414)9506000134352(254)!\"%&'()*+,-./",
            "https://id.gs1.org/414/9506000134352/254/%21%22%25%26%27%28%29%2A%2B%2C-.%2F"
        ),
    ])
    func elementsMakeTheCanonicalLink(text: String, link: String) {
        #expect(decoder.decode(text, aim: nil).gs1?.digitalLink == link)
    }

    @Test(arguments: ["(10)L", "(01)09506000134352(21)S(235)T", "(01)09506000134352(8200)x"])
    func someElementsMakeNoLink(text: String) throws {
        let message = try #require(decoder.decode(text, aim: nil).gs1)
        #expect(message.digitalLink == nil)
    }

    /// Returns the base64url of a header of 8 bits and a number of `bits` bits.
    private func compressed(_ header: UInt8, _ number: UInt64, bits: Int) -> String {
        let all =
            String(repeating: "0", count: 8 - String(header, radix: 2).count)
            + String(header, radix: 2)
            + String(repeating: "0", count: bits - String(number, radix: 2).count)
            + String(number, radix: 2)
        let padded = Array(all + String(repeating: "0", count: (6 - all.count % 6) % 6))
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        return stride(from: 0, to: padded.count, by: 6).map { start in
            String(alphabet[Int(String(padded[start..<start + 6]), radix: 2) ?? 0])
        }.joined()
    }

    @Test func aCompressedLinkIsNamed() {
        let path = compressed(0x01, 9_506_000_134_352, bits: 47)
        let barcode = decoder.decode("https://example.com/\(path)", aim: nil)
        #expect(barcode.kind == .url)
        #expect(barcode.gtin?.text == "09506000134352")
        #expect(barcode.problems.map(\.code) == [.compressedDigitalLink])
        #expect(barcode.problems.map(\.severity) == [.warning])
        let wrong = compressed(0x01, 9_506_000_134_353, bits: 47)
        #expect(decoder.decode("https://example.com/\(wrong)", aim: nil).problems.isEmpty)
        let pallet = compressed(0x00, 340_123_450_000_000_000, bits: 60)
        #expect(
            decoder.decode("https://example.com/\(pallet)", aim: nil).problems.map(\.code)
                == [.compressedDigitalLink])
        #expect(
            decoder.decode("https://id.gs1.org/ARHKVAdpQg-_", aim: nil).problems.map(\.code)
                == [.compressedDigitalLink])
    }
}
