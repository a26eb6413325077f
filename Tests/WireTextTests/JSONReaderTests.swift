import Testing
import WireText

@Suite struct JSONReaderTests {
    @Test(
        arguments: [
            (" null ", .null), ("true", true), ("false", false), ("0", 0), ("-7", -7),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("\"\"", ""), (#""\u00e9\ud83e\uddc9\/\b\f""#, "é🧉/\u{8}\u{c}"), ("[]", []),
            ("[ 1 , [ ] ]", [1, []]), ("{}", [:]),
            ("{ \"b\" : 1 ,\n\"a\" : null }", ["b": 1, "a": .null]),
        ] as [(String, JSONValue)])
    func wellFormedTextIsRead(text: String, value: JSONValue) throws {
        #expect(try JSONReader.read(text) == value)
    }

    @Test(arguments: [
        "3.10", "-0", "1e5", "9223372036854775808", "0.000000000000000000001", "1E+2", "0.0",
    ])
    func numbersThatAreNoMachineIntegersKeepTheirDigits(literal: String) throws {
        let number = try #require(JSONNumber(literal))
        #expect(try JSONReader.read(literal) == .number(number))
        #expect(JSONWriter.text(of: .number(number)) == literal)
    }

    @Test(arguments: ["", "01", "+1", "1.", ".5", "1e", "0x10", "NaN", "1 ", "--1", "1,99", "١"])
    func whatIsNoNumberIsNone(literal: String) {
        #expect(JSONNumber(literal) == nil)
    }

    @Test(arguments: [
        ("", "line 1, byte 0: expected a value, found the end"),
        ("{\"a\":1", "line 1, byte 6: expected ',' or '}', found the end"),
        ("{\"a\" 1}", "line 1, byte 5: expected ':', found '1'"),
        ("{\"a\":1,}", "line 1, byte 7: expected a key in quotes, found '}'"),
        ("{\n\"a\":1,\n\"a\":2}", "line 3, byte 9: expected each key once, found \"a\" again"),
        ("[1,]", "line 1, byte 3: expected a value, found ']'"),
        ("[1 2]", "line 1, byte 3: expected ',' or ']', found '2'"),
        ("nul", "line 1, byte 3: expected \"null\", found the end"),
        ("1 2", "line 1, byte 2: expected the end, found '2'"),
        ("01", "line 1, byte 0: expected a value, found '0'"),
        ("'a'", "line 1, byte 0: expected a value, found '''"),
        ("\"a", "line 1, byte 2: expected '\"', found the end"),
        ("\"a\tb\"", "line 1, byte 2: expected a character, '\\' or '\"', found the byte 0x09"),
        ("\"\\ud800\"", "line 1, byte 1: expected both halves of a surrogate pair, found one"),
        ("\"\\udc00\"", "line 1, byte 1: expected both halves of a surrogate pair, found one"),
        (
            "\"\\ud800\\u0041\"",
            "line 1, byte 1: expected both halves of a surrogate pair, found one"
        ),
        ("\"\\ud800\\n\"", "line 1, byte 1: expected both halves of a surrogate pair, found one"),
        ("\"\\u12g4\"", "line 1, byte 5: expected a hexadecimal digit, found 'g'"),
        ("\u{feff}1", "line 1, byte 0: expected a value, found the byte 0xef"),
        (
            "{\"\u{202e}\":1,\"\u{202e}\":2}",
            "line 1, byte 9: expected each key once, found \"\\u202e\" again"
        ),
        (
            "\"\\x\"",
            #"line 1, byte 1: expected one of \" \\ \/ \b \f \n \r \t \uXXXX, found another escape"#
        ),
    ])
    func theErrorNamesThePlaceAndWhatWasExpected(text: String, message: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.read(text) }
        #expect(error?.description == message)
    }

    @Test func bytesThatAreNoUTF8AreRefused() {
        let expected = JSONSyntaxError(problem: .notUTF8, line: 1, offset: 1)
        #expect(throws: expected) { try JSONReader.read([0x22, 0xC0, 0x80, 0x22]) }
        #expect(throws: expected) { try JSONReader.read([0x22, 0xED, 0xA0, 0x80, 0x22]) }
    }

    @Test func nestingHasALimit() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        let limit = JSONReader.maximumDepth
        #expect(JSONWriter.text(of: try JSONReader.read(nested(limit))) == nested(limit))
        #expect(
            throws: JSONSyntaxError(problem: .tooDeep(limit: limit), line: 1, offset: limit)
        ) { try JSONReader.read(nested(limit + 1)) }
        #expect(throws: JSONSyntaxError.self) { try JSONReader.read(nested(1_000_000)) }
        let deeper = Array(nested(limit + 1).utf8)
        #expect(try JSONReader.read(deeper, maximumDepth: limit + 1).array?.count == 1)
    }

    @Test func manyMembersAreFoundByTheirBytes() throws {
        let keys = (0..<20_000).map { "key \($0)" } + ["é", "e\u{301}"]
        let text = "{" + keys.map { "\"\($0)\":\"\($0)\"" }.joined(separator: ",") + "}"
        let object = try #require(try JSONReader.read(text).object)
        for key in [keys[0], keys[16], keys[17], keys[19_999], "é", "e\u{301}"] {
            #expect(object[key]?.string?.utf8.elementsEqual(key.utf8) == true)
        }
        #expect(object["key 20000"] == nil)
        #expect(object.members.map(\.key) == keys)
        #expect(throws: JSONSyntaxError.self) {
            try JSONReader.read(text.dropLast() + ",\"key 5\":1}")
        }
    }

    @Test func everyChangedByteIsReadOrRefusedWithoutACrash() {
        let line = Array(#"{"a":[1,-2.5e3,"\u00e9x\n"],"b":{"c":null,"d":true}}"#.utf8)
        for index in line.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = line
                changed[index] = byte
                guard let value = try? JSONReader.read(changed) else { continue }
                #expect(try! JSONReader.read(JSONWriter.text(of: value)) == value)
            }
        }
    }
}
