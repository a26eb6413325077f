import KeyLayouts
import Keystrokes
import Testing

@Suite struct LayoutSuspicionTests {
    /// Returns the suspicion for a configured layout, with some other layouts to compare.
    static func suspicion(_ configured: String, _ others: [String]) -> LayoutSuspicion {
        var suspicion = LayoutSuspicion(configured: Compiled.layout(configured))
        for other in others { suspicion.add(Compiled.layout(other)) }
        return suspicion
    }

    /// Returns the text that `configured` gives for the keys that type `text` on `layout`; nil if a key has no meaning
    /// there.
    static func misread(
        _ text: String, typedOn layout: String, readOn configured: String
    ) -> String? {
        let typist = Typist(table: Compiled.layout(layout).table)
        let keystrokes = text.unicodeScalars.flatMap { typist.keystrokes(for: $0) ?? [] }
        let read = Compiled.layout(configured).table.read(keystrokes)
        return read.map { scalars in
            String(scalars.reduce(into: String.UnicodeScalarView()) { $0.append($1) })
        }
    }

    @Test(arguments: [
        ("859415627008", "us", "cz", "áříč+řžěýééá", LayoutSuspicion.Evidence.digits),
        ("4006381333931", "us", "fr", "'àà-\"_&\"\"\"ç\"&", .digits),
        ("4006381333931", "fr", "us", "$))^#*!###(#!", .digits),
        // A number has at least eight digits, at least three of them different.
        ("11231111", "fr", "us", "!!@#!!!!", .digits),
        ("]E04006381333931", "us", "de", "+E04006381333931", .aimIdentifier),
        ("]C1(01)", "us", "es", "+C1)01=", .aimIdentifier),
        ("]Q3ABC", "us", "fr", "$A\"QBC", .aimIdentifier),
        ("https://a.example/1", "us", "de", "httpsÖ--a.example-1", .webAddress),
    ])
    func aMisreadTextNamesTheLayoutItWasTypedOn(
        _ text: String, _ scanner: String, _ configured: String, _ read: String,
        _ evidence: LayoutSuspicion.Evidence
    ) throws {
        #expect(Self.misread(text, typedOn: scanner, readOn: configured) == read)
        let others = ["us", "gb", "de", "fr", "es", "cz"].filter { $0 != configured }
        let finding = Self.suspicion(configured, others).finding(in: read)
        #expect(finding?.evidence == evidence)
        #expect(finding?.layouts.contains(try KeyLayout(scanner)) == true)
    }

    @Test(arguments: [
        "4006381333931", "ABC-123", "Groß & Klein", "+A123BJC5D6E71G", "----------",
        "HTTPS://EXAMPLE.COM/1", "https://example.com/", "", "\u{1D}01", "áříč",
        // On fr, only seven digits, and eight digits with only two different ones.
        "!!\"§!!!", "!!\"\"!!!!",
    ])
    func anOrdinaryTextIsNotSuspected(_ text: String) throws {
        let others = ["us", "gb", "fr", "es", "cz", "jp", "us:dvorak"]
        #expect(Self.suspicion("de", others).finding(in: text) == nil)
    }

    @Test func aRejectedAltGrKeyNamesTheLayoutThatKnowsIt() throws {
        // AltGr+9 is ] on gb and de and ^ on fr; us has no AltGr.
        let suspicion = Self.suspicion("us", ["gb", "de", "fr"])
        let bracket = Typist.Keystroke(key: .digit9, level: .altGr)
        let finding = suspicion.finding(in: "", before: bracket)
        #expect(finding?.evidence == .knownKey)
        #expect(finding?.layouts.map(\.description) == ["gb", "de", "fr"])
        #expect(suspicion.finding(in: "", before: Typist.Keystroke(key: .f8)) == nil)
    }

    @Test func theConfiguredLayoutIsNeverTheFinding() throws {
        let suspicion = Self.suspicion("de", ["de", "de:nodeadkeys"])
        #expect(suspicion.finding(in: "+E04006381333931") == nil)
    }

    @Test func layoutsThatTypeAlikeAreNamedTogetherAndTheSentenceHidesTheText() throws {
        let finding = try #require(
            Self.suspicion("de", ["us", "gb", "fr"]).finding(in: "+E04006381333931"))
        #expect(finding.layouts.map(\.description) == ["us", "gb"])
        #expect(finding.description.contains("us (or gb)"))
        #expect(!finding.description.contains("4006381333931"))
    }

    @Test func theRegistryListsEveryCommonLayout() throws {
        let registry = try KeyLayoutRegistry.installed()
        for layout in KeyLayout.commonOnScanners {
            #expect(registry.entry(for: layout) != nil, "\(layout)")
        }
        #expect(KeyLayout.commonOnScanners.count == 37)
    }
}
