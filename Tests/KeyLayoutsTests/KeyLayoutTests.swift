import KeyLayouts
import Testing

@Suite struct KeyLayoutTests {
    @Test func aNameIsALayoutWithOrWithoutAVariant() throws {
        let plain = try KeyLayout("de")
        #expect(plain.name == "de")
        #expect(plain.variant == nil)
        #expect(plain.description == "de")
        let variant = try KeyLayout("ch:fr_nodeadkeys")
        #expect(variant.name == "ch")
        #expect(variant.variant == "fr_nodeadkeys")
        #expect(variant.description == "ch:fr_nodeadkeys")
    }

    @Test(arguments: [
        "", ":", "de:", ":nodeadkeys", "de:a:b", "de nodeadkeys", "de(nodeadkeys)", "us,de",
        "us+inet(evdev)", "../symbols/de", "dé", "de\n", String(repeating: "d", count: 65),
    ])
    func aMalformedNameNeverReachesTheLibrary(_ text: String) {
        #expect(throws: KeyLayoutError.malformedName(text)) { try KeyLayout(text) }
    }

    @Test func theErrorOfABadNameDescribesANameAndIsEscaped() {
        #expect(
            KeyLayoutError.malformedName("de\u{1B}[2J").description
                == "\"de\\x1b[2J\" is not the name of a layout; expected LAYOUT or LAYOUT:VARIANT, each of"
                + " letters, digits, - and _, for instance de:nodeadkeys")
    }
}
