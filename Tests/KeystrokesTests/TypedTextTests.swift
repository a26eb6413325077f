import Keystrokes
import Testing

/// The text of typed characters: encodings, names, substitutes, identifiers, Caps Lock.
@Suite struct TypedTextTests {
    private static func story(_ typed: String, _ settings: ScanSettings) -> [String] {
        var keyboard = Keyboard(settings)
        keyboard.type(typed)
        keyboard.press(.enter)
        return keyboard.story
    }

    /// The characters of Windows-1252 from 0x80 to 0x9F, which has five gaps.
    private static let western = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"

    /// The US layout with more keys, for U+0080 to U+00FF and all other characters of Windows-1252.
    private static let wide: KeyTable = {
        var table = KeyTable.us
        var key: UInt16 = 200
        let upper =
            (0x80...0xFF).compactMap(Unicode.Scalar.init) + Array(western.unicodeScalars)
        for scalar in upper {
            table[KeyCode(rawValue: key), []] = .character(scalar)
            key += 1
        }
        return table
    }()

    @Test(arguments: [
        (TypedEncoding.utf8, "Ã©", "é"), (.utf8, "â\u{82}¬", "€"), (.utf8, "â‚¬", "€"),
        (.windows1252, "\u{80}", "€"), (.windows1252, "€é", "€é"),
        (.shiftJIS, "\u{93}\u{FA}\u{96}\u{7B}", "日本"), (.shiftJIS, "±²A", "ｱｲA"),
        (.utf8, "plain", "plain"), (.shiftJIS, "\\~", "\\~"),
    ])
    func typedCharactersAreBytes(encoding: TypedEncoding, typed: String, text: String) {
        #expect(Self.story(typed, ScanSettings(table: Self.wide, encoding: encoding)) == [text])
    }

    @Test func everyCharacterOfWindows1252IsItsByte() {
        let settings = ScanSettings(table: Self.wide, encoding: .windows1252)
        let bytes = (UInt8(0x80)...0x9F).filter { ![0x81, 0x8D, 0x8F, 0x90, 0x9D].contains($0) }
        let controls = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        for typed in [Self.western, controls] {
            #expect(Self.story(typed, settings) == [Self.western])
        }
    }

    @Test(arguments: [
        (TypedEncoding.utf8, "1é2", "wrong-encoding '1é2'@1/4"),
        (.utf8, "\u{C0}\u{80}", "wrong-encoding '\u{C0}\u{80}'@0/3"),
        (.windows1252, "1\u{81}", "wrong-encoding '1\u{81}'@1/3"),
        (.shiftJIS, "1\u{93}", "wrong-encoding '1\u{93}'@1/3"),
        (.shiftJIS, "\u{81}\u{7F}", "wrong-encoding '\u{81}\u{7F}'@0/3"),
        (.shiftJIS, "\u{A0}", "wrong-encoding '\u{A0}'@0/2"),
    ])
    func bytesThatAreNoTextOfTheEncodingAreRejected(
        encoding: TypedEncoding, typed: String, story: String
    ) {
        #expect(Self.story(typed, ScanSettings(table: Self.wide, encoding: encoding)) == [story])
    }

    @Test(arguments: [
        (ControlNames.angle, "01<GS>10", "01\u{1D}10"),
        (.angle, "<RS><GS><EOT>", "\u{1E}\u{1D}\u{4}"),
        (.braces, "a{LF}b", "a\nb"), (.angle, "<DEL><NUL>", "\u{7F}\u{0}"),
        (.angle, "<gs><XX><GS", "<gs><XX><GS"), (.braces, "<GS>", "<GS>"),
        (.angle, "<<GS>>", "<\u{1D}>"),
    ])
    func controlCharactersAreSpelledOut(names: ControlNames, typed: String, text: String) {
        #expect(Self.story(typed, ScanSettings(controlNames: [names])) == [text])
    }

    @Test func aCharacterRepresentsAnother() {
        let settings = ScanSettings(substitutes: ["|": "\u{1D}", "#": "£"])
        #expect(Self.story("01|10#", settings) == ["01\u{1D}10£"])
        let swapped = ScanSettings(substitutes: ["y": "z", "z": "y"])
        #expect(Self.story("xyz", swapped) == ["xzy"])
    }

    @Test func prefixAndSuffixAreRemovedAsTyped() {
        let settings = ScanSettings(prefix: "|<", suffix: "|", substitutes: ["|": "\u{1D}"])
        #expect(Self.story("|<1|2|", settings) == ["1\u{1D}2"])
    }

    @Test(
        arguments: [
            (CodeIdentifiers.zebra, "A4006381333931", "4006381333931", "A", "]E0"),
            (.zebra, "A04252614", "04252614", "A", nil), (.zebra, "K01095", "01095", "K", "]C1"),
            (.zebra, "P0G01095", "01095", "P0G", "]d2"), (.zebra, "X978", "978", "X", nil),
            (.zebra, "P4", "P4", nil, nil), (.zebra, "4006", "4006", nil, nil),
            (.zebra, "A", "A", nil, nil),
            (.datalogic, "B4006381333931", "4006381333931", "B", "]E0"),
            (.datalogic, "A96385074", "96385074", "A", "]E4"),
            (.init(["!": "]Q1"]), "!hello", "hello", "!", "]Q1"),
        ] as [(CodeIdentifiers, String, String, String?, String?)])
    func aMakersIdentifierIsSplitOff(
        identifiers: CodeIdentifiers, typed: String, text: String, identifier: String?, aim: String?
    ) {
        var keyboard = Keyboard(ScanSettings(codeIdentifiers: identifiers))
        keyboard.type(typed)
        keyboard.press(.enter)
        #expect(keyboard.outcomes.count == 1)
        guard case .scan(let scan)? = keyboard.outcomes.first else {
            Issue.record("no scan")
            return
        }
        #expect(scan.text == text)
        #expect(scan.codeIdentifier == identifier)
        #expect(scan.aim == aim)
    }

    @Test(arguments: [
        (CapsHandling.track, ["ab", "CD", "ef"]), (.ignore, ["ab", "cd", "ef"]),
        (.inverted, ["AB", "cd", "EF"]),
    ])
    func capsLockDoesWhatIsSet(caps: CapsHandling, texts: [String]) {
        var keyboard = Keyboard(ScanSettings(caps: caps))
        keyboard.press(.a, .b, .enter, .capslock, .c, .d, .enter, .capslock, .e, .f, .enter)
        #expect(keyboard.texts == texts)
    }

    @Test func aTextThatAScannerCannotTypeIsNamed() {
        let substituting = ScanSettings(substitutes: ["|": "\u{1D}"])
        #expect(throws: TypingError.standsForAnother(character: "|", offset: 1)) {
            try substituting.typing(of: "a|")
        }
        let spelling = ScanSettings(controlNames: [.angle])
        #expect(throws: TypingError.spellsControl) { try spelling.typing(of: "a<GS>") }
        let japanese = ScanSettings(encoding: .shiftJIS)
        #expect(
            throws: TypingError.notInEncoding(character: "é", encoding: .shiftJIS, offset: 0)
        ) { try japanese.typing(of: "é") }
        let sentence = TypingError.notInEncoding(character: "é", encoding: .shiftJIS, offset: 0)
            .description
        for fact in ["shift_jis", "U+00E9", "character 0"] { #expect(sentence.contains(fact)) }
    }
}
