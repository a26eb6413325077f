import Testing
import WireText

@Suite struct JSONPointerTests {
    /// The examples of RFC 6901, section 5.
    @Test(
        arguments: [
            ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2),
            ("/e^f", 3), ("/g|h", 4), ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8),
        ] as [(String, JSONValue)])
    func thePlacesOfTheRuleAreFound(text: String, value: JSONValue) throws {
        let document = try JSONReader.read(
            #"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6,"#
                + #"" ":7,"m~n":8}"#)
        let pointer = try #require(JSONPointer(text))
        #expect(document[pointer] == value)
        #expect(pointer.description == text)
        #expect(document[JSONPointer()] == document)
    }

    @Test(arguments: ["a", "/~", "/~2", "/a~", "a/b", " /a"])
    func whatIsNoPointerIsNone(text: String) {
        #expect(JSONPointer(text) == nil)
    }

    @Test(arguments: [
        "/00", "/-", "/2", "/-1", "/ 1", "/1 ", "/99999999999999999999", "/x", "/0/0", "/٠",
    ])
    func whatIsNotThereIsNone(text: String) throws {
        let pointer = try #require(JSONPointer(text))
        #expect(JSONValue.array(["a", "b"])[pointer] == nil)
    }

    @Test func pointersGrow() {
        let pointer = JSONPointer(["a"]).appending("b/c").appending(JSONPointer(["0", "~"]))
        #expect(pointer.description == "/a/b~1c/0/~0")
        #expect(pointer.tokens == ["a", "b/c", "0", "~"])
    }

    @Test func keysThatLookAlikeAreTwo() throws {
        let document = try JSONReader.read("{\"e\u{301}\":1}")
        #expect(document[JSONPointer(["é"])] == nil)
        #expect(document[JSONPointer(["e\u{301}"])] == 1)
    }
}
