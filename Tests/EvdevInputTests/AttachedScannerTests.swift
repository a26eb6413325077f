import Keystrokes
import Testing

@testable import EvdevInput

@Suite struct AttachedScannerTests {
    private let usb = DeviceIdentity(
        name: "Scanner", bus: 3, vendor: 0x0C2E, product: 0x0B61,
        phys: "usb-0000:00:14.0-2/input0")

    @Test func aConfiguredScannerHasItsConfiguredName() {
        let scanner = AttachedScanner(rule: .configured(index: 2, name: "counter"), identity: usb)
        #expect(scanner == AttachedScanner(name: "counter", index: 2, identity: usb))
    }

    @Test func anAutomaticNameIsMadeOfNumbersAndPort() {
        let scanner = AttachedScanner(rule: .marked, identity: usb)
        #expect(scanner.name == "0c2e-0b61-usb-0000-00-14-0-2")
        #expect(scanner.index == nil)
    }

    @Test func theSerialNumberCountsMoreThanThePort() {
        var identity = usb
        identity.uniq = "S/N 1\u{1B}"
        #expect(identity.automaticName == "0c2e-0b61-s-n-1-")
    }

    @Test func withNeitherTheNumbersAloneAreTheName() {
        #expect(DeviceIdentity(vendor: 1, product: 2).automaticName == "0001-0002")
    }

    @Test func nodesOfOneDeviceDifferInInterfaceAndNameOnly() {
        var other = usb
        other.name = "Scanner Keyboard"
        other.phys = "usb-0000:00:14.0-2/input1"
        #expect(usb.isSameHardware(as: other))
        other.phys = "usb-0000:00:14.0-3/input1"
        #expect(!usb.isSameHardware(as: other))
    }

    @Test func withoutAPortNothingSaysThatTwoNodesAreOneDevice() {
        let nowhere = DeviceIdentity(name: "Scanner", vendor: 1, product: 2)
        #expect(!nowhere.isSameHardware(as: nowhere))
    }

    @Test(arguments: [
        ("usb-0000:00:14.0-2/input0", "usb-0000:00:14.0-2"), ("usb-1/input12", "usb-1"),
        ("keywedge/virtual", "keywedge/virtual"), ("a/inputs", "a/inputs"), ("plain", "plain"),
        ("a/input/b", "a/input/b"), ("aa:bb:cc", "aa:bb:cc"),
    ])
    func theInterfaceIsTakenOffThePort(phys: String, whole: String) {
        #expect(DeviceIdentity(phys: phys).physOfWholeDevice == whole)
    }

    @Test func thereIsRoomForOneOfTheSameNameOnly() {
        let one = AttachedScanner(name: "a", index: 0, identity: usb)
        #expect(one.isSamePlace(as: AttachedScanner(name: "a", index: 0, identity: .init())))
        #expect(!one.isSamePlace(as: AttachedScanner(name: "b", index: 1, identity: usb)))
        #expect(!one.isSamePlace(as: AttachedScanner(name: "a", identity: usb)))
    }

    @Test func theSecondOfTwoWithTheSameIdentityIsRefused() {
        let rules = SelectionRules(
            configured: [.init(name: "counter", match: DeviceMatch(vendor: 0x0C2E))])
        var check = DuplicateCheck(rules: rules)
        let keys = KeyCapabilities(hasDigits: true, hasEnter: true)
        var elsewhere = usb
        elsewhere.phys = "usb-0000:00:14.0-5/input0"
        var secondNode = usb
        secondNode.phys = "usb-0000:00:14.0-2/input1"
        var verdicts: [SelectionVerdict] = []
        for (node, identity) in [("/e3", usb), ("/e4", elsewhere), ("/e5", secondNode)] {
            verdicts.append(
                check.verdict(on: DeviceFacts(node: node, identity: identity, keys: keys)))
        }
        let taken = SelectionVerdict.taken(.configured(index: 0, name: "counter"))
        let refused = SelectionVerdict.refused(.duplicate(scanner: "counter", of: "/e3"))
        #expect(verdicts == [taken, refused, taken])
    }
}
