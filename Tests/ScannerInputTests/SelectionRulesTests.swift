import Keystrokes
import ScannerInput
import Testing

@Suite struct SelectionRulesTests {
    private static let keyboardKeys = KeyCapabilities(hasDigits: true, hasEnter: true)
    private static let mouseKeys = KeyCapabilities(
        hasDigits: false, hasEnter: false, movesPointer: true)

    private func facts(
        vendor: UInt16, bus: UInt16 = 3, keys: KeyCapabilities = keyboardKeys,
        isMarked: Bool = false, paths: Set<String> = []
    ) -> DeviceFacts {
        DeviceFacts(
            node: "/dev/input/event4",
            identity: DeviceIdentity(name: "Scanner", bus: bus, vendor: vendor, product: 1),
            interface: .keyboard(keys), isMarked: isMarked, paths: paths)
    }

    private let automatic = SelectionRules()
    private let configured = SelectionRules(configured: [
        .init(name: "counter", match: DeviceMatch(vendor: 0x1234)),
        .init(name: "door", match: DeviceMatch(path: "/dev/input/by-id/door")),
        .init(name: "any", match: DeviceMatch(vendor: 0x1234, product: 1)),
    ])

    @Test func withNothingConfiguredAKnownMakerIsTaken() {
        #expect(
            automatic.verdict(on: facts(vendor: 0x0C2E))
                == .taken(.knownMaker("Honeywell (Metrologic)")))
        #expect(automatic.verdict(on: facts(vendor: 0x05E0, bus: 5)).rule != nil)
    }

    @Test func aMakersNumberOnAnotherBusSaysNothing() {
        #expect(
            automatic.verdict(on: facts(vendor: 0x0C2E, bus: 0x11)) == .refused(.notKnownAsScanner))
    }

    @Test func withNothingConfiguredAMarkedDeviceIsTaken() {
        #expect(automatic.verdict(on: facts(vendor: 0x046D, isMarked: true)) == .taken(.marked))
    }

    @Test func withNothingConfiguredAPlainKeyboardIsNeverTaken() {
        #expect(automatic.verdict(on: facts(vendor: 0x046D)) == .refused(.notKnownAsScanner))
    }

    @Test func configuredScannersAreTakenByTheFirstThatMatches() {
        #expect(
            configured.verdict(on: facts(vendor: 0x1234))
                == .taken(.configured("counter")))
        #expect(
            configured.verdict(on: facts(vendor: 9, paths: ["/dev/input/by-id/door"]))
                == .taken(.configured("door")))
    }

    @Test func withScannersConfiguredNothingElseIsTaken() {
        let marked = facts(vendor: 0x0C2E, isMarked: true)
        #expect(configured.verdict(on: marked) == .refused(.matchesNoConfiguredScanner))
    }

    @Test func aMouseCalledScannerIsRefusedByAllRules() {
        let mouse = facts(
            vendor: 0x0C2E, keys: Self.mouseKeys, isMarked: true, paths: ["/dev/input/by-id/door"])
        #expect(automatic.verdict(on: mouse) == .refused(.cannotType(Self.mouseKeys)))
        #expect(configured.verdict(on: mouse) == .refused(.cannotType(Self.mouseKeys)))
    }

    @Test func theKeyboardThatKeywedgeTypesOnIsRefusedByAllRules() {
        var own = facts(vendor: 0x1234, isMarked: true, paths: ["/dev/input/by-id/door"])
        own.identity.phys = VirtualScanner.keyboardPhys
        for rules in [automatic, configured] {
            #expect(rules.verdict(on: own) == .refused(.ownKeyboard))
        }
    }

    @Test func thePathsAreThoseOfAllConfiguredScanners() {
        #expect(configured.paths == ["/dev/input/by-id/door"])
    }

    @Test(arguments: [
        (false, false, true, "pointing device"), (true, false, false, "digits alone"),
        (false, true, false, "Enter alone"), (false, false, false, "neither"),
    ])
    func aRefusalNamesTheKeysThatThereAre(
        digits: Bool, enter: Bool, movesPointer: Bool, words: String
    ) {
        let keys = KeyCapabilities(hasDigits: digits, hasEnter: enter, movesPointer: movesPointer)
        let verdict = SelectionVerdict.refused(.cannotType(keys)).description
        #expect(verdict.hasPrefix("not claimed:") && verdict.hasSuffix(words))
    }

    @Test func aRuleNamesTheMakerOrTheScanner() {
        let known = SelectionVerdict.taken(.knownMaker("Newland")).description
        #expect(known.hasPrefix("claimed:") && known.contains("Newland"))
        let configured = SelectionVerdict.taken(.configured("a\u{1B}[2J"))
        #expect(configured.description.contains("\"a\\x1b[2J\""))
    }
}
