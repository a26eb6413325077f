import Foundation
import TestTexts
import Testing
import WireText

@Suite struct JSONValueTests {
    @Test(
        arguments: [
            (.null, "null"), (true, "true"), (false, "false"), (0, "0"), (-1, "-1"), (10, "10"),
            (.integer(.min), "-9223372036854775808"), (.integer(.max), "9223372036854775807"),
            ("", #""""#), ("a\"b\\c", #""a\"b\\c""#), ("\u{8}\n\u{1f}", #""\u0008\u000a\u001f""#),
            ([], "[]"), ([[], [:]], "[[],{}]"), ([:], "{}"), (["": ""], #"{"":""}"#),
            (["b": [1, "b", .null], "a": ["d": false]], #"{"b":[1,"b",null],"a":{"d":false}}"#),
            (["\u{202e}\"": 1], #"{"\u202e\"":1}"#),
        ] as [(JSONValue, String)])
    func aValueIsWrittenOnOneLineWithoutSpaces(value: JSONValue, text: String) throws {
        #expect(JSONWriter.text(of: value) == text)
        #expect(try JSONReader.read(text) == value)
    }

    @Test func whatIsAppendedIsBehindWhatWasThere() {
        var output = Array("data: ".utf8)
        JSONWriter.append(["a": 1] as JSONObject, to: &output)
        JSONWriter.append("b", to: &output)
        JSONWriter.append([2] as JSONValue, to: &output)
        #expect(String(decoding: output, as: UTF8.self) == #"data: {"a":1}"b"[2]"#)
    }

    @Test func aValueForPeopleHasALineForEachPart() throws {
        let value: JSONValue = ["a": [1, ["b": .null], []], "c": [], "d": [:], "e\n": "f\u{1b}"]
        let text = JSONWriter.indentedText(of: value)
        #expect(
            text == #"""
                {
                  "a": [
                    1,
                    {
                      "b": null
                    },
                    []
                  ],
                  "c": [],
                  "d": {},
                  "e\u000a": "f\u001b"
                }
                """#)
        #expect(try JSONReader.read(text) == value)
    }

    @Test func everyCharacterComesBackFromJSON() throws {
        for text in HostileTexts.all {
            let value: JSONValue = ["text": .string(text), "list": [.string(text)]]
            let json = JSONWriter.text(of: value)
            #expect(try JSONReader.read(json) == value)
            let other = try JSONSerialization.jsonObject(with: Data(json.utf8))
            let read = (other as? [String: Any])?["text"] as? String
            #expect(read.map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test func noCharacterOfATextOrKeyLeavesThatMustNot() {
        let leaks = AllScalars.leaks(of: AllScalars.shortTexts) {
            JSONWriter.text(of: [$0: .string($0)])
        }
        #expect(leaks == [])
    }

    @Test(arguments: [3, 30]) func membersAreFoundAndChangedInTheirPlace(count: Int) {
        var object = JSONObject()
        for number in 0..<count { object.append("\(number)", .integer(Int64(number))) }
        for number in 0..<count { #expect(object["\(number)"] == .integer(Int64(number))) }
        #expect(object["\(count)"] == nil)
        object.append("1", "new")
        object.append("last", .null)
        #expect(object.members.map(\.key) == (0..<count).map(String.init) + ["last"])
        #expect(object["1"] == "new" && object["0"] == 0)
        #expect((["a": 1, "b": 2, "a": 3] as JSONObject) == ["a": 3, "b": 2])
    }

    @Test func objectsAreComparedByKeysValuesAndOrder() {
        let object: JSONObject = ["a": 1, "b": 2]
        #expect(object == ["a": 1, "b": 2])
        let others: [JSONObject] = [
            ["b": 2, "a": 1], ["a": 1], ["a": 1, "b": 3], ["a": 1, "c": 2],
        ]
        #expect(!others.contains(object))
        #expect(JSONValue.integer(1) != .string("1"))
    }

    /// Texts and keys are equal only if their bytes are.
    @Test func textsThatLookAlikeAreTwo() {
        #expect("\u{e9}" == "e\u{301}" && JSONValue.string("\u{e9}") != .string("e\u{301}"))
        let object: JSONObject = ["\u{e9}": 1, "e\u{301}": 2, "": 3]
        #expect(object["\u{e9}"] == 1 && object["e\u{301}"] == 2 && object[""] == 3)
        #expect((["\u{e9}": 1] as JSONObject) != ["e\u{301}": 1])
        #expect(JSONValue.string("abc") != .string("abcd"))
        #expect(JSONValue.string(String("xabcx".dropFirst().dropLast())) == .string("abc"))
    }

    @Test func accessorsGiveNothingForOtherKinds() {
        #expect(JSONValue.string("a").string == "a" && JSONValue.integer(1).string == nil)
        #expect(JSONValue.array([1]).array == [1] && JSONValue.null.object == nil)
    }
}
