import Testing

@Suite struct RedactionTests {
    /// A test number of a card issuer; right by Luhn's check.
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

    @Test func anEANThatBrokeOffIsShown() async throws {
        let line = try #require(try await replay("type \"400638133393\"\ndropped").first)
        #expect(line.contains(#""reason":"torn","text":"400638133393""#))
    }
}
