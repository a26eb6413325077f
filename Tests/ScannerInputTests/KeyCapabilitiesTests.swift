import Keystrokes
import ScannerInput
import Testing

@Suite struct KeyCapabilitiesTests {
    private func capabilities(_ names: [String]) -> KeyCapabilities {
        let keys = Set(names.compactMap { KeyCode(name: $0) })
        #expect(keys.count == names.count)
        return KeyCapabilities(movesPointer: false, hasKey: keys.contains)
    }

    private let mainDigits = (0...9).map { "KEY_\($0)" }
    private let keypadDigits = (0...9).map { "KEY_KP\($0)" }

    @Test func tenDigitsAndEnterAreEnough() {
        #expect(capabilities(mainDigits + ["KEY_ENTER"]).canTypeAScan)
        #expect(capabilities(keypadDigits + ["KEY_KPENTER"]).canTypeAScan)
        #expect(capabilities(keypadDigits + ["KEY_ENTER"]).canTypeAScan)
    }

    @Test(arguments: 0...9)
    func eachDigitIsNeeded(digit: Int) {
        let main = mainDigits.filter { $0 != "KEY_\(digit)" }
        let keypad = keypadDigits.filter { $0 != "KEY_KP\(digit)" }
        #expect(!capabilities(main + keypad + ["KEY_ENTER"]).canTypeAScan)
    }

    @Test func enterIsNeeded() {
        #expect(
            capabilities(mainDigits) == KeyCapabilities(hasDigits: true, hasEnter: false))
    }

    @Test func aMouseHasNeither() {
        let buttons = Set([KeyCode(name: "BTN_LEFT"), KeyCode(name: "BTN_RIGHT")])
        let mouse = KeyCapabilities(movesPointer: true) { buttons.contains($0) }
        #expect(mouse == KeyCapabilities(hasDigits: false, hasEnter: false, movesPointer: true))
        #expect(!mouse.canTypeAScan)
    }
}
