import Events
import Testing
import WireText

@Suite struct FieldDifferenceTests {
    private func differences(_ expected: JSONValue, _ found: JSONValue) -> [String] {
        FieldDifference.all(expected: expected, found: found)
    }

    @Test func everyFieldIsNamedByItsPath() {
        let expected: JSONValue = [
            "id": "1",
            "data": ["gtin": "0400", "problems": [["code": "a"], 2], "a b": 1, "gone": true],
        ]
        let found: JSONValue = [
            "data": ["a b": 2, "problems": [["code": "b"]], "gtin": .null, "new": [:]], "id": "1",
        ]
        #expect(
            differences(expected, found) == [
                #"data.gtin: expected "0400", found null"#,
                #"data.problems[0].code: expected "a", found "b""#,
                "data.problems[1]: expected 2, found nothing",
                #"data."a b": expected 1, found 2"#,
                "data.gone: expected true, found nothing",
                "data.new: expected nothing, found {}",
            ])
    }

    @Test func theSameFieldsInAnotherOrderAreNoDifference() {
        #expect(differences(["a": 1, "b": [2]], ["b": [2], "a": 1]).isEmpty)
    }

    @Test func kindsAreToldApart() {
        #expect(differences(["a": 1], ["a": "1"]) == [#"a: expected 1, found "1""#])
        #expect(differences([1], ["a": 1]) == [#"the line: expected [1], found {"a":1}"#])
    }

    @Test func keysAndValuesAreEscaped() {
        #expect(
            differences(["\u{1b}": "\u{202e}"], ["\u{1b}": "\u{9b}"])
                == [#""\u001b": expected "\u202e", found "\u009b""#])
    }

    @Test func ofLongValuesThePartThatDiffersIsShown() {
        let start = String(repeating: "s", count: 5_000)
        let end = String(repeating: "e", count: 200)
        let same = String(repeating: "s", count: 20)
        #expect(
            differences(["a": .string(start + "1" + end)], ["a": .string(start + "2")])
                == [
                    "a: expected …\(same)1\(String(repeating: "e", count: 79))…, "
                        + "found …\(same)2\""
                ])
    }
}
