import Events
import Keystrokes
import TestTexts
import Testing
import WireText

@testable import Sinks

struct KeyboardTypingTests {
    private static func typing(
        _ template: String, rejection: String? = nil, controls: Bool = false
    ) throws -> KeyboardTyping {
        KeyboardTyping(
            template: try KeyboardTemplate(template),
            rejection: try rejection.map { try KeyboardTemplate($0) }, allowsControls: controls,
            table: .us)
    }

    /// Returns the texts that a program with the same layout reads from the keys, up to each Enter.
    private static func read(_ keys: [KeyEvent]) -> [String] {
        var assembler = ScanAssembler(
            settings: ScanSettings(terminators: .init(keys: [.enter]), splitsAIMIdentifier: false))
        return keys.enumerated().compactMap { index, key in
            var key = key
            key.microseconds = Int64(index) * 1_000
            guard case .scan(let scan) = assembler.feed(key) else { return nil }
            return scan.text
        }
    }

    private static func event(_ data: JSONObject, type: EventType = .scan) -> Event {
        let event = Entries.event(1, type: type)
        return Event(
            id: event.id, source: event.source, type: type, time: event.time,
            sequence: event.sequence, data: data)
    }

    @Test(arguments: [
        ("{text}{enter}", ["4006381333931"]), ("{gtin}{enter}", ["04006381333931"]),
        ("<{product.id}>{tab}{text}{enter}x{enter}", ["<p-1>\t4006381333931", "x"]),
        ("{nothing|gtin|text}{enter}", ["04006381333931"]), ("{count}{enter}", ["3"]),
    ])
    func aTemplateIsTypedWithTheEventsValues(template: String, texts: [String]) throws {
        let event = Self.event([
            "text": "4006381333931", "gtin": "04006381333931", "product": ["id": "p-1"],
            "count": 3, "nothing": .null,
        ])
        #expect(Self.read(try Self.typing(template).keys(for: event)) == texts)
    }

    @Test func whatAnEventDoesNotHaveIsNotTypedInPart() throws {
        let typing = try Self.typing("{gtin}{enter}")
        #expect(throws: KeyboardTyping.Untypable(reason: "it has no gtin")) {
            try typing.keys(for: Self.event(["text": "a"]))
        }
    }

    @Test func aRejectionIsTypedOnlyWhereThatIsAskedFor() throws {
        let rejection = Self.event(["text": "400"], type: .scanRejected)
        #expect(try Self.typing("{text}{enter}").keys(for: rejection).isEmpty)
        #expect(
            Self.read(try Self.typing("{text}", rejection: "?{enter}").keys(for: rejection))
                == ["?"])
        #expect(try Self.typing("{text}").keys(for: Self.event([:], type: .started)).isEmpty)
    }

    @Test func whateverIsScannedNoControlCharacterIsTyped() throws {
        let typing = try Self.typing("{text}{enter}")
        let single = (UInt32(0)...0x24F).compactMap(Unicode.Scalar.init).map { String($0) }
        let texts = HostileTexts.all + single
        var typed: Set<String> = []
        for text in texts {
            guard let keys = try? typing.keys(for: Self.event(["text": .string(text)]))
            else { continue }
            #expect(Self.read(keys) == [text])
            typed.insert(text)
        }
        // Exactly the characters that a US keyboard has are typed.
        #expect(typed == Set((0x20...0x7E).map { String(Unicode.Scalar($0)) }))
    }

    @Test func controlCharactersAreTypedWhereThatIsAllowed() throws {
        let event = Self.event(["text": "01\t2"])
        let allowed = try Self.typing("{text}{enter}", controls: true).keys(for: event)
        #expect(Self.read(allowed) == ["01\t2"])
        #expect(throws: KeyboardTyping.Untypable.self) {
            try Self.typing("{text}{enter}").keys(for: event)
        }
    }

    @Test func whatTheLayoutCannotTypeIsKnownAheadAndInAScanIsNotTyped() throws {
        #expect(try Self.typing("€{text}").missingCharacter == "€")
        #expect(try Self.typing("{text}", rejection: "é").missingCharacter == "é")
        #expect(try Self.typing("{text}{enter}").missingCharacter == nil)
        let reason = "it has a character that the layout has no keys for"
        #expect(throws: KeyboardTyping.Untypable(reason: reason)) {
            try Self.typing("{text}").keys(for: Self.event(["text": "é"]))
        }
    }

    @Test(arguments: [
        ("", KeyboardTemplateError.empty), ("{", .strayBrace), ("a}", .strayBrace),
        ("{}", .noName("")), ("{a..b}", .noName("a..b")), ("{a b}", .noName("a b")),
        ("{a|}", .noName("a|")),
    ])
    func whatIsNoTemplateIsRefused(text: String, error: KeyboardTemplateError) {
        #expect(throws: error) { try KeyboardTemplate(text) }
    }
}
