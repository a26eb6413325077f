import Foundation
import TestTexts
import Testing
import WireText

@Suite struct JSONValueTests {
    @Test func membersKeepTheirOrder() {
        let object: JSONObject = ["b": 1, "a": [true, .null], "c": ["x": "y"]]
        #expect(JSONWriter.text(of: .object(object)) == #"{"b":1,"a":[true,null],"c":{"x":"y"}}"#)
    }

    @Test func aRepeatedKeyGivesItsMemberANewValue() {
        var object: JSONObject = ["a": 1, "b": 2, "a": 3]
        object.append("b", 4)
        #expect(JSONWriter.text(of: .object(object)) == #"{"a":3,"b":4}"#)
        #expect(object["b"] == 4)
        #expect(object["c"] == nil)
    }

    @Test func composedAndDecomposedLettersAreDifferentTexts() {
        #expect(JSONValue.string("\u{e9}") != .string("e\u{301}"))
        #expect((["\u{e9}": 1, "e\u{301}": 2] as JSONObject).members.count == 2)
    }

    @Test func objectsInAnotherOrderAreNotEqual() {
        #expect((["a": 1, "b": 2] as JSONValue) != ["b": 2, "a": 1])
        #expect(JSONValue.integer(1) != .string("1"))
    }

    @Test func accessorsGiveNothingForOtherKinds() {
        #expect(JSONValue.string("a").string == "a")
        #expect(JSONValue.integer(1).string == nil)
        #expect(JSONValue.array([1]).array == [1])
        #expect(JSONValue.null.object == nil)
    }

    @Test(arguments: [Int64.min, -10, -1, 0, 9, 10, 99, 100, .max])
    func integersAreWrittenInFull(number: Int64) {
        #expect(JSONWriter.text(of: .integer(number)) == String(number))
    }

    @Test func everyCharacterComesBackFromJSON() throws {
        for text in HostileTexts.all {
            let value: JSONValue = ["text": .string(text), "list": [.string(text)]]
            let json = JSONWriter.text(of: value)
            #expect(!json.unicodeScalars.contains(where: HostileTexts.isForbidden))
            #expect(try JSONReader.read(json) == value)
            let other = try JSONSerialization.jsonObject(with: Data(json.utf8))
            let read = (other as? [String: Any])?["text"] as? String
            #expect(read.map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test func aValueForPeopleHasALineForEachPart() throws {
        let value: JSONValue = ["a": [1, ["b": "\u{1b}"], []], "c": [:], "d": nothing]
        let text = JSONWriter.indentedText(of: value)
        #expect(
            text == """
                {
                  "a": [
                    1,
                    {
                      "b": "\\u001b"
                    },
                    []
                  ],
                  "c": {},
                  "d": null
                }
                """)
        #expect(try JSONReader.read(Array(text.utf8)) == value)
    }

    private var nothing: JSONValue { .null }
}
