import Keystrokes
import Testing

@Suite struct SeparatorKeysTests {
    /// Types a text in which `↑`, `←`, `→` stand for keys without characters.
    private static func story(
        _ text: String, _ keys: [Character: KeyCode], _ settings: ScanSettings = ScanSettings()
    ) -> [String] {
        var keyboard = Keyboard(settings)
        for character in text {
            if let key = keys[character] {
                keyboard.press(key)
            } else {
                keyboard.type(String(character))
            }
        }
        keyboard.press(.enter)
        return keyboard.story
    }

    private static let message = "[)>\u{1E}06\u{1D}P1\u{1D}Q5\u{1E}\u{4}"

    @Test(arguments: [
        [KeyCode.f9, .f8, .f1], [.left, .down, .up], [.f8, .f9, .f4], [.f12, .down, .insert],
    ])
    func theMessageShowsWhichKeyIsWhich(keys: [KeyCode]) {
        let keys: [Character: KeyCode] = ["↑": keys[0], "←": keys[1], "→": keys[2]]
        #expect(Self.story("[)>↑06←P1←Q5↑→", keys) == [Self.message])
        #expect(Self.story("]d1[)>↑06←P1←Q5↑", keys) == [String(Self.message.dropLast())])
        // Mouser's labels have no RS.
        #expect(Self.story(">[)>06←P1←Q5", keys) == [">[)>06\u{1D}P1\u{1D}Q5"])
    }

    @Test func aScannerMaySendOneKeyForAll() {
        #expect(
            Self.story("[)>←06←P1←Q5←", ["←": .f8])
                == ["[)>\u{1E}06\u{1E}P1\u{1E}Q5\u{1E}"])
    }

    @Test func elsewhereTheKeyIsUnknown() {
        let keys: [Character: KeyCode] = ["↑": .f9, "←": .f8, "→": .f1]
        #expect(Self.story("01←", keys) == ["unmapped-key '01'@2/4"])
        #expect(Self.story("[)←>06", keys) == ["unmapped-key '[)'@2/7"])
        #expect(Self.story("[)>↑06←P1→Q5", keys) == ["unmapped-key '[)>\u{1E}06\u{1D}P1'@9/13"])
        // The separator key of a finished message is unknown again in the next scan.
        var keyboard = Keyboard()
        keyboard.type("[)>")
        keyboard.press(.f8, .enter, .digit4, .f8, .enter)
        #expect(keyboard.story == ["[)>\u{1E}", "unmapped-key '4'@1/3"])
    }

    @Test func aKeyWithAMeaningKeepsIt() {
        var table = KeyTable.us
        table.register(.ignored, for: .f9)
        #expect(Self.story("[)>↑06", ["↑": .f9], ScanSettings(table: table)) == ["[)>06"])
    }

    @Test func aModifierMakesItNoSeparator() {
        var keyboard = Keyboard()
        keyboard.type("[)>")
        keyboard.down(.leftalt)
        keyboard.press(.f9)
        keyboard.up(.leftalt)
        keyboard.press(.enter)
        #expect(keyboard.rejections.map(\.reason) == [.unmappedKey])
    }
}
