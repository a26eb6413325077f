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
            keys: keys, isMarked: isMarked, paths: paths)
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

    @Test func thePathsAreThoseOfAllConfiguredScanners() {
        #expect(configured.paths == ["/dev/input/by-id/door"])
    }

    @Test(arguments: [
        (SelectionVerdict.taken(.marked), "taken: a udev rule marked it as a scanner"),
        (.taken(.knownMaker("Newland")), "taken: its maker makes scanners: Newland"),
        (
            .taken(.configured("a\u{1B}[2J")),
            "taken: it matches the configured scanner \"a\\x1b[2J\""
        ),
        (
            .refused(.cannotType(mouseKeys)),
            "not taken: it cannot type a scan: expected ten digit keys and Enter,"
                + " got a pointing device"
        ),
        (
            .refused(.cannotType(KeyCapabilities(hasDigits: true, hasEnter: false))),
            "not taken: it cannot type a scan: expected ten digit keys and Enter, got digits alone"
        ),
        (.refused(.matchesNoConfiguredScanner), "not taken: it matches no configured scanner"),
        (
            .refused(.notKnownAsScanner),
            "not taken: nothing is configured, no udev rule marked it, and its maker is not known"
                + " for scanners"
        ),
        (.refused(.ownKeyboard), "not taken: keywedge itself types scans on it"),
    ])
    func verdictsAreClauses(verdict: SelectionVerdict, words: String) {
        #expect(verdict.description == words)
    }
}
