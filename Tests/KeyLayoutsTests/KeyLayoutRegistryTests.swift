import KeyLayouts
import Testing

@Suite struct KeyLayoutRegistryTests {
    let registry: KeyLayoutRegistry

    init() throws {
        registry = try KeyLayoutRegistry.installed()
    }

    @Test func layoutsComeByNameAndBeforeTheirVariants() throws {
        let names = registry.entries.map(\.layout.description)
        let german = try #require(names.firstIndex(of: "de"))
        let variant = try #require(names.firstIndex(of: "de:nodeadkeys"))
        let greek = try #require(names.firstIndex(of: "gr"))
        #expect(german < variant)
        #expect(variant < greek)
        #expect(Set(names).count == names.count)
    }

    @Test func anEntryHasItsTitleLanguagesAndCountries() throws {
        let entry = try #require(registry.entry(for: KeyLayout("de")))
        #expect(entry.title == "German")
        #expect(entry.languages == ["deu"])
        #expect(entry.countries.contains("DE"))
        #expect(!entry.isExotic)
    }

    @Test func exoticLayoutsAreListedAndMarked() {
        #expect(registry.entries.contains { $0.isExotic })
        #expect(registry.entries.contains { !$0.isExotic })
    }

    @Test(arguments: [
        ("german nodead", "de:nodeadkeys"), ("FRA bepo", "fr:bepo"), ("deu neo", "de:neo"),
        ("us:dvorak", "us:dvorak"), ("JP", "jp"),
    ])
    func aSearchFindsWordsOfNamesTitlesAndCodes(_ search: String, _ name: String) throws {
        let found = registry.entries(matching: search).map(\.layout)
        #expect(found.contains(try KeyLayout(name)))
        #expect(found.count < registry.entries.count / 2)
    }

    @Test func anEmptySearchFindsAllAndNonsenseFindsNothing() {
        #expect(registry.entries(matching: " ") == registry.entries)
        #expect(registry.entries(matching: "german qqqq").isEmpty)
    }

    @Test func aCodeIsFoundAsAWholeOnly() throws {
        let entry = try #require(registry.entry(for: KeyLayout("de")))
        #expect(entry.matches("deu"))
        #expect(entry.matches("de"))
        #expect(!entry.matches("eu"))
    }
}
