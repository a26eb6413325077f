import TestTexts
import Testing
import WireText

@Suite struct JSONWriterTests {
    @Test(
        arguments: [
            (.null, "null"), (true, "true"), (false, "false"), (0, "0"), (-1, "-1"),
            (.integer(.min), "-9223372036854775808"), (.integer(.max), "9223372036854775807"),
            ("", #""""#), ("a\"b\\c", #""a\"b\\c""#), ("\u{8}\n\u{1f}", #""\u0008\u000a\u001f""#),
            ([], "[]"), ([[], [:]], "[[],{}]"), ([:], "{}"), (["": ""], #"{"":""}"#),
            (["a": [1, "b", .null], "c": ["d": false]], #"{"a":[1,"b",null],"c":{"d":false}}"#),
            (["\u{202e}\"": 1], #"{"\u202e\"":1}"#),
        ] as [(JSONValue, String)])
    func aValueIsWrittenOnOneLineWithoutSpaces(value: JSONValue, text: String) throws {
        #expect(JSONWriter.text(of: value) == text)
        #expect(try JSONReader.read(text) == value)
    }

    @Test func numbersAreWrittenDigitForDigit() throws {
        for literal in ["1.10", "-0", "6.02e23", "1E+2", "0.0", "123456789012345678901234567890"] {
            let number = try #require(JSONNumber(literal))
            #expect(JSONWriter.text(of: .number(number)) == literal)
            #expect(number.description == literal)
        }
    }

    @Test func whatIsAppendedIsBehindWhatWasThere() {
        var output = Array("data: ".utf8)
        JSONWriter.append(["a": 1] as JSONObject, to: &output)
        JSONWriter.append("b", to: &output)
        JSONWriter.append([2] as JSONValue, to: &output)
        #expect(String(decoding: output, as: UTF8.self) == #"data: {"a":1}"b"[2]"#)
    }

    @Test func noCharacterOfATextOrKeyLeavesThatMustNot() {
        let leaks = AllScalars.leaks(of: AllScalars.shortTexts) {
            JSONWriter.text(of: [$0: .string($0)])
        }
        #expect(leaks == [])
    }

    @Test func valuesAreOneToThreeLinesForPeople() throws {
        let value: JSONValue = ["a": [1, ["b": .null]], "c": [], "d": [:], "e\n": "f"]
        let text = JSONWriter.indentedText(of: value)
        #expect(
            text == #"""
                {
                  "a": [
                    1,
                    {
                      "b": null
                    }
                  ],
                  "c": [],
                  "d": {},
                  "e\u000a": "f"
                }
                """#)
        #expect(try JSONReader.read(text) == value)
    }
}
