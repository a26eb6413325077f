import Keystrokes
import ScannerInput
import Testing

@Suite struct DeviceMatchTests {
    static let voyager = DeviceIdentity(
        name: "Honeywell Voyager 1452g", bus: 3, vendor: 0x0C2E, product: 0x0B61, version: 0x110,
        phys: "usb-0000:00:14.0-2/input0", uniq: "17031B2345")

    private func matches(_ match: DeviceMatch) -> Bool {
        match.matches(Self.voyager) { $0 == "/dev/input/by-id/usb-Honeywell" }
    }

    @Test(arguments: [
        DeviceMatch(vendor: 0x0C2E), DeviceMatch(product: 0x0B61), DeviceMatch(name: Glob("Hon*")),
        DeviceMatch(path: "/dev/input/by-id/usb-Honeywell"), DeviceMatch(uniq: "17031B2345"),
        DeviceMatch(phys: "usb-0000:00:14.0-2/input0"), DeviceMatch(phys: "usb-0000:00:14.0-2"),
        DeviceMatch(
            vendor: 0x0C2E, product: 0x0B61, name: Glob("*"), phys: "usb-0000:00:14.0-2",
            uniq: "17031B2345"),
    ])
    func allThatIsGivenHolds(match: DeviceMatch) {
        #expect(matches(match))
    }

    @Test(arguments: [
        DeviceMatch(vendor: 0x0C2F), DeviceMatch(vendor: 0x0C2E, product: 1),
        DeviceMatch(vendor: 0x0C2E, name: Glob("Symbol*")),
        DeviceMatch(vendor: 0x0C2E, path: "/dev/input/event0"),
        DeviceMatch(vendor: 0x0C2E, phys: "usb-0000:00:14.0-3"),
        DeviceMatch(vendor: 0x0C2E, phys: "usb-0000:00:14.0"),
        DeviceMatch(vendor: 0x0C2E, uniq: "17031b2345"), DeviceMatch(uniq: ""),
    ])
    func oneThatDoesNotHoldIsEnough(match: DeviceMatch) {
        #expect(!matches(match))
    }

    @Test func nothingGivenMatchesNothing() {
        #expect(DeviceMatch().isEmpty)
        #expect(!matches(DeviceMatch()))
    }

    @Test func aDeviceWithoutANameMatchesOnlyThePatternForAnything() {
        let nameless = DeviceIdentity(vendor: 1)
        #expect(DeviceMatch(name: Glob("*")).matches(nameless) { _ in false })
        #expect(!DeviceMatch(name: Glob("?*")).matches(nameless) { _ in false })
    }
}
