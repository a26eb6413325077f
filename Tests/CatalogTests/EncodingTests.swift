import Catalog
import Glibc
import Testing

/// Tests files that are not UTF-8, which are read with `--encoding`, and refused with the likely name without it.
@Suite struct EncodingTests {
    private static let texts = [
        (
            "windows-1252",
            "id;name;preis\n1;Käse, jung;1,99 €\n2;Größe 40;2,00 €\n3;Crème brûlée;3,00 €\n"
        ),
        (
            "windows-1251",
            "id;name;цена\n1;Молоко 3,2%;89,90\n2;ХЛЕБ бородинский;45,00\n3;Сыр;12,00\n"
        ),
        ("GB18030", "id,name,价格\n1,农夫山泉饮用天然水,2.50\n2,康师傅红烧牛肉面,4.50\n3,iPhone手机壳,19.00\n"),
        (
            "windows-1250",
            "id;name;cena\n1;Mleko świeże;3,49\n2;Żółty ser;5,99\n3;Chleb żytni;4,20\n"
        ),
        ("UTF-16LE", "id\tname\tPreis\n1\tKäse\t1,99\n2\tBrot\t2,00\n3\tMilch\t3,00\n"),
    ]

    private func encoded(_ text: String, _ encoding: String) throws -> [UInt8] {
        let handle = try #require(iconv_open(encoding, "UTF-8"))
        defer { iconv_close(handle) }
        var source = Array(text.utf8).map(CChar.init(bitPattern:))
        var target = [CChar](repeating: 0, count: source.count * 4)
        var (left, room) = (source.count, target.count)
        source.withUnsafeMutableBufferPointer { source in
            target.withUnsafeMutableBufferPointer { target in
                var (input, output) = (source.baseAddress, target.baseAddress)
                iconv(handle, &input, &left, &output, &room)
            }
        }
        #expect(left == 0)
        return target.dropLast(room).map(UInt8.init(bitPattern:))
    }

    private func take(_ bytes: [UInt8], _ encoding: String? = nil) throws -> TriedImport {
        try TriedImport(bytes) { options in
            if let encoding { options.encoding = try #require(TextEncoding(named: encoding)) }
        }
    }

    @Test(arguments: texts) func aFileInAnotherEncodingIsRead(name: String, text: String) throws {
        let catalog = try take(encoded(text, name), name).catalog
        #expect(try catalog.count() == 3)
        #expect(try catalog.exported() == take(Array(text.utf8)).catalog.exported())
    }

    @Test(arguments: texts) func withoutItsNameItIsRefusedWithIt(name: String, text: String) throws
    {
        let error = try take(encoded(text, name)).error
        #expect(
            error.hasPrefix("\"x.csv\" is not UTF-8, but probably \(name); expected --encoding"))
    }

    @Test func theMarkOfUTF16IsKnown() throws {
        let bytes: [UInt8] = try [0xFF, 0xFE] + encoded("id,name\n1,Pen\n", "UTF-16LE")
        #expect(try take(bytes).error.contains("--encoding UTF-16,"))
        #expect(try take(bytes, "utf-16").catalog.product(id: "1")?.name == "Pen")
    }

    @Test func theLetterMayComeLate() throws {
        let rows = (1...40_000).map { "\($0),Article \($0) of a long list\n" }.joined()
        let bytes = try encoded("id,name\n" + rows + "0,Käse\n", "windows-1252")
        #expect(try take(bytes).error.contains("probably windows-1252"))
    }

    @Test(arguments: ["id,name\n1,Käse\n", "\u{FEFF}\"id\",name\n1,Pen\n", "\u{FEFF}"])
    func utf8IsNotReadAsLettersOfWindows(csv: String) throws {
        let error = try take(Array(csv.utf8), "windows-1252").error
        #expect(error.contains("is UTF-8, not WINDOWS-1252"))
    }

    @Test func twoBytesOfGB18030MayLookLikeUTF8() throws {
        let bytes = try encoded("id,name\n1,目模\n", "GB18030")
        #expect(String(validating: bytes, as: UTF8.self) != nil)
        #expect(try take(bytes, "gb18030").catalog.product(id: "1")?.name == "目模")
    }

    @Test func aByteThatTheEncodingLacksIsNamed() throws {
        let bytes = Array("id,name\n1,a".utf8) + [0x81] + Array("\n".utf8)
        #expect(try take(bytes, "windows-1252").error.contains("no byte 0x81 there"))
        #expect(try take(Array("id\n1".utf8) + [0x81], "GB18030").error.contains("0x81"))
    }

    @Test func aLargeFileIsReadWhole() throws {
        var csv = Array("id,name\n".utf8)
        for number in 1...30_000 { csv += Array("\(number),".utf8) + [0xFC, 0x80, 0xFC, 0x0A] }
        let catalog = try take(csv, "latin1").catalog
        #expect(try catalog.count() == 30_000)
        #expect(try catalog.product(id: "29999")?.name == "ü€ü")
    }

    @Test(arguments: [
        ("", nil), ("no-such", nil), ("UTF-8//TRANSLIT", nil), ("windows-1252,x", nil),
        ("utf8", TextEncoding.utf8), ("Utf-8", .utf8),
    ])
    func onlyNamesThatIconvKnowsAreEncodings(name: String, encoding: TextEncoding?) {
        #expect(TextEncoding(named: name) == encoding)
    }
}
