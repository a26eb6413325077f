import Testing

@Suite struct RedactionTests {
    /// A card issuer's test number, which passes Luhn's check.
    private static let card = "4111111111111111"

    @Test(arguments: [
        "type \"\(card)\\n\"",
        "type \"%B\(card)^DOE/JANE^29121010000000000000?\\n\"",
        "type \";\(card)=29121010000000000000?\\n\"",
    ])
    func aCardLeavesNothingButItsKindAndLength(keys: String) async throws {
        let line = try #require(try await replay(keys).first)
        #expect(line.contains(#""type":"keywedge.scan.redacted""#))
        #expect(!line.contains("1111"))
        #expect(!line.contains("DOE"))
    }

    @Test func aRedactedEventsIdTellsNothingOfTheContent() async throws {
        let one = try await replay("type \"4111111111111111\\n\"")
        let two = try await replay("type \"4012888888881881\\n\"")
        #expect(one.first?.eventID == two.first?.eventID)
    }

    @Test func aCardThatWasTornIsRedactedToo() async throws {
        let line = try #require(try await replay("type \"4111111111111111\"\ndropped").first)
        #expect(line.contains(#""type":"keywedge.scan.redacted""#))
    }

    @Test(arguments: ["%B41111111", ";411111111111", "%b4111 1111 11"])
    func aTrackThatBrokeOffIsRedactedToo(text: String) async throws {
        let line = try #require(try await replay("type \"\(text)\"\ndropped").first)
        #expect(line.contains(#""type":"keywedge.scan.redacted""#))
        #expect(!line.contains("1111"))
    }

    /// Invented documents, each with the words TEST and MUSTER.
    @Test(arguments: [
        "00123456789@TEST@MUSTER@M@12345678@A@01/01/1980@01/01/2015",
        "M1TEST/MUSTER         EABC123 YULFRAAC 0834 226F001A0025 100",
        "03100025001PubDSK_10000000000TEST MUSTER", "HC1:TESTMUSTER",
        "<PrintLetterBarcodeData uid='0' name='TEST MUSTER'/>",
        "@ANSI 636000090002DLDAQTEST DCSMUSTER",
    ])
    func aDocumentLeavesNothing(text: String) async throws {
        for end in ["\\n\"", "\"\ndropped", "\"\nwait 11s\ntype \"\\n\""] {
            let lines = try await replay("type \"\(text)\(end)")
            #expect(lines.count == 1, "\(lines)")
            #expect(lines[0].contains(#""type":"keywedge.scan.redacted""#), "\(lines)")
            #expect(!lines[0].contains("TEST") && !lines[0].contains("MUSTER"))
        }
    }

    @Test func anIdentityCardThatIsTooLongLeavesNothing() async throws {
        let number = String(repeating: "1234567890", count: 300)
        let line = try #require(
            try await replay(
                "type \"\(number)\\n\"",
                configuration: "scanners: [{name: a, length: {min: 1, max: 2000}}]"
            ).first)
        #expect(line.contains(#""content":"identity-card""#) && !line.contains("1234567890"))
    }

    @Test func theLinesOfALicenceLeaveNothing() async throws {
        let types = try await replay(
            """
            type "@\\nANSI 636000090002DL00410278ZV03190008DLDAQTEST\\nDCSMUSTER\\nDDEN\\n"
            wait 3s
            type "DAB1234\\n"
            """
        ).map { $0.contains("redacted") }
        #expect(types == [false, true, true, true, false])
    }

    @Test(arguments: [
        ("hide: []", "4111111111111111", true),
        ("hide: [licences]", "4111111111111111", true),
        ("hide: {own_numbers: [\"411111*\"]}", "4111111111111111", true),
        ("hide: {own_numbers: [\"411112*\"]}", "4111111111111111", false),
        ("hide: {kinds: [licences]}", "HC1:TEST", true), ("", "HC1:TEST", false),
        ("scanners: [{name: a, content: gs1}]", "4149506000134338", true),
        ("", "4149506000134338", false),
        ("", "6331740123456780", true), ("", "]C06331740123456780", true),
        ("scanners: [{name: a, code_identifiers: zebra}]", "K4111111111111111", true),
        ("scanners: [{name: a, code_identifiers: zebra}]", "D4111111111111111", false),
        ("", "4111111111111112", true),
    ])
    func theConfigurationSaysWhatIsHidden(
        configuration: String, text: String, isShown: Bool
    ) async throws {
        let lines = try await replay("type \"\(text)\\n\"", configuration: configuration)
        #expect(lines.count == 1 && lines[0].contains("redacted") != isShown, "\(lines)")
    }

    @Test func anEANThatBrokeOffIsShown() async throws {
        let line = try #require(try await replay("type \"400638133393\"\ndropped").first)
        #expect(line.contains(#""reason":"torn","text":"400638133393""#))
    }
}
