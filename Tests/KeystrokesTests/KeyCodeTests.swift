import Keystrokes
import Testing

@Suite struct KeyCodeTests {
    @Test(arguments: [
        ("KEY_ENTER", 28), ("KEY_KPENTER", 96), ("KEY_RIGHTBRACE", 27), ("KEY_OK", 352),
    ])
    func aKeyIsKnownByItsKernelName(name: String, number: UInt16) {
        #expect(KeyCode(name: name)?.rawValue == number)
        #expect(KeyCode(rawValue: number).name == name)
    }

    @Test(arguments: ["KEY_NONE", "enter", "", "KEY_MAX"])
    func aNameTheKernelDoesNotHaveIsNoKey(_ name: String) {
        #expect(KeyCode(name: name) == nil)
    }

    @Test func everyNumberIsFoundByItsName() {
        let named = (0...KeyCode.highest).map(KeyCode.init).filter { KeyCode(name: $0.name) == $0 }
        #expect(named.count > 500)
        #expect(KeyCode(name: "KEY_ALS_TOGGLE")?.rawValue == 0x230)
    }

    @Test func aNumberWithoutANameIsShownAsANumber() {
        #expect(KeyCode(rawValue: 0x2F0).description == "KEY_0x2f0")
    }

    @Test func aSecondNameOfANumberIsUnderstood() {
        #expect(KeyCode(name: "KEY_SCREENLOCK") == KeyCode(name: "KEY_COFFEE"))
        #expect(KeyCode(name: "KEY_SCREENLOCK")?.name == "KEY_COFFEE")
    }
}
