import Keystrokes
import Testing

/// Texts of many lengths, with characters of one to four bytes.
@Suite struct LongTextTests {
    /// F1, F2 and F3 type characters of two, three and four bytes in UTF-8.
    private static let settings: ScanSettings = {
        var table = KeyTable.us
        let characters: [(KeyCode, Unicode.Scalar)] = [(.f1, "é"), (.f2, "€"), (.f3, "😀")]
        for (key, character) in characters { table.register(.character(character), for: key) }
        return ScanSettings(table: table)
    }()

    @Test(arguments: [KeyCode.a, .f1, .f2, .f3], [0, 1, 13, 59, 60, 61, 62, 63, 64, 65, 127, 300])
    func aTextOfAnyLengthIsReadWhole(key: KeyCode, count: Int) throws {
        let meaning = Self.settings.table[key, []]
        guard case .character(let character) = meaning else {
            Issue.record("\(key) types \(meaning)")
            return
        }
        var keyboard = Keyboard(Self.settings)
        let text = String(repeating: "1", count: count) + String(character) + "23"
        for _ in 0..<2 {
            for _ in 0..<count { keyboard.press(.digit1) }
            keyboard.press(key, .digit2, .digit3, .enter)
        }
        // A short text after the longer ones.
        keyboard.press(key, .enter)
        #expect(keyboard.texts == [text, text, String(character)])
    }

    @Test func aLongTextThatIsCutOffIsReportedWhole() {
        var keyboard = Keyboard(Self.settings)
        for _ in 0..<70 { keyboard.press(.f2) }
        keyboard.press(.f4, .enter)
        #expect(keyboard.rejections.map(\.text) == [String(repeating: "€", count: 70)])
    }
}
