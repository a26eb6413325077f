import Barcodes
import KeywedgeConfiguration
import Testing

@Suite struct HiddenContentTests {
    private func hide(_ text: String) throws -> HiddenContent {
        try Configuration.parse(text: text, file: "k.yaml").hide
    }

    @Test func byDefaultEverythingIsHidden() throws {
        #expect(try hide("") == HiddenContent())
        #expect(try hide("").kinds == Set(SensitiveContent.Kind.allCases))
        #expect(try hide("hide: {own_numbers: [\"633174*\"]}").kinds == hide("").kinds)
    }

    @Test(
        arguments: [
            ("[]", []), ("[licences]", [.drivingLicence]),
            ("[payment-cards, identity-cards]", [.paymentCard, .magneticStripe, .identityCard]),
            ("{kinds: [health-certificates]}", [.healthCertificate]),
            ("{kinds: [travel-documents], own_numbers: [1]}", [.travelDocument]),
        ] as [(String, Set<SensitiveContent.Kind>)])
    func kindsAreAListOrBesideOwnNumbers(text: String, kinds: Set<SensitiveContent.Kind>) throws {
        let configuration = try Configuration.parse(text: "hide: \(text)", file: "k.yaml")
        #expect(configuration.hide.kinds == kinds)
        let yaml = configuration.yaml
        #expect(try Configuration.parse(text: yaml, file: "k.yaml") == configuration)
    }

    @Test(arguments: [
        ("hide: [cards]", "hide[0]"), ("hide: payment-cards", "hide"), ("hide:", "hide"),
        ("hide: {own: [1]}", "hide.own"), ("hide: {own_numbers: [\"*\"]}", "hide.own_numbers[0]"),
        ("hide: {own_numbers: [\"63*4\"]}", "hide.own_numbers[0]"),
        ("hide: {own_numbers: 633174*}", "hide.own_numbers"),
    ])
    func whatIsWrongIsNamed(text: String, key: String) {
        let found = sentences(text)
        #expect(found.count == 1 && found[0].hasPrefix("k.yaml:1: \(key): expected "), "\(found)")
    }
}
