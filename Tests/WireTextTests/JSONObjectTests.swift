import Testing
import WireText

@Suite struct JSONObjectTests {
    /// Objects with as many members as are searched one by one, and with so many that an index is
    /// kept.
    @Test(arguments: [0, 1, 15, 16, 17, 18, 100])
    func membersAreFoundHoweverManyThereAre(count: Int) {
        var object = JSONObject(capacity: count)
        for number in 0..<count { object.append("key \(number)", .integer(Int64(number))) }
        #expect(object.members.map(\.key) == (0..<count).map { "key \($0)" })
        for number in 0..<count { #expect(object["key \(number)"] == .integer(Int64(number))) }
        #expect(object["key \(count)"] == nil)
        #expect(object["key"] == nil)
    }

    @Test(arguments: [3, 30]) func aNewValueStaysInItsPlace(count: Int) {
        var object = JSONObject()
        for number in 0..<count { object.append("\(number)", 0) }
        object.append("1", "new")
        #expect(object.members.count == count)
        #expect(object.members[1].value == "new")
        #expect(object["1"] == "new" && object["0"] == 0)
        object.append("last", .null)
        #expect(object.members.last?.key == "last")
    }

    @Test(arguments: [0, 40]) func keysThatLookAlikeAreTwo(others: Int) {
        var object = JSONObject()
        for number in 0..<others { object.append("\(number)", 0) }
        object.append("\u{e9}", 1)
        object.append("e\u{301}", 2)
        object.append("", 3)
        #expect(object["\u{e9}"] == 1 && object["e\u{301}"] == 2 && object[""] == 3)
        #expect(object.members.count == others + 3)
    }

    @Test func objectsAreComparedByKeysValuesAndOrder() {
        let object: JSONObject = ["a": 1, "b": 2]
        #expect(object == ["a": 1, "b": 2])
        #expect(object != ["b": 2, "a": 1])
        #expect(object != ["a": 1])
        #expect(object != ["a": 1, "b": 3])
        #expect(object != ["a": 1, "c": 2])
        #expect((["\u{e9}": 1] as JSONObject) != ["e\u{301}": 1])
    }

    @Test func textsAreIdenticalByTheirBytesOnly() {
        #expect(JSONValue.string("abc") == .string("abc"))
        #expect(JSONValue.string("") == .string(""))
        #expect(JSONValue.string("abc") != .string("abcd"))
        #expect(JSONValue.string("abc") != .string("abd"))
        #expect("\u{e9}" == "e\u{301}" && JSONValue.string("\u{e9}") != .string("e\u{301}"))
        let piece = "xabcx".dropFirst().dropLast()
        #expect(JSONValue.string(String(piece)) == .string("abc"))
    }
}
