import ScannerInput
import Testing

@Suite struct GlobTests {
    @Test(arguments: [
        ("Honeywell*", "Honeywell Voyager", true), ("Honeywell*", "Honeywell", true),
        ("Honeywell*", "A Honeywell", false), ("*Scanner", "Bar Code Scanner", true),
        ("*Scanner", "Scanners", false), ("S?anner", "Scanner", true), ("S?anner", "Sanner", false),
        ("*", "", true), ("", "", true), ("", "a", false), ("?", "", false), ("**a**", "a", true),
        ("a*b*c", "a-b-b-c", true), ("a*b*c", "a-c-b", false), ("[ab]", "a", false),
        ("[ab]", "[ab]", true), ("scanner", "Scanner", false), ("?", "é", true),
    ])
    func matchesTheWholeTextOrNot(pattern: String, text: String, matches: Bool) {
        #expect(Glob(pattern).matches(text) == matches)
    }

    @Test func aPatternOfManyStarsEndsInGoodTime() {
        let pattern = String(repeating: "*a", count: 60) + "*b"
        #expect(!Glob(pattern).matches(String(repeating: "a", count: 250)))
    }
}
