import Keystrokes
import Testing

@testable import ScannerInput

@Suite struct AttachedScannerTests {
    private let usb = DeviceIdentity(
        name: "Scanner", bus: 3, vendor: 0x0C2E, product: 0x0B61,
        phys: "usb-0000:00:14.0-2/input0")

    private func scanner(
        _ rule: SelectionVerdict.Rule, _ identity: DeviceIdentity,
        besides attached: [AttachedScanner] = []
    ) -> AttachedScanner {
        let keys = KeyCapabilities(hasDigits: true, hasEnter: true)
        return AttachedScanner(
            rule: rule, DescribedDevice(identity: identity, interface: .keyboard(keys)),
            besides: attached)
    }

    private func usb(port: Int, interface: Int = 0, uniq: String? = nil) -> DeviceIdentity {
        var identity = usb
        identity.phys = "usb-0000:00:14.0-\(port)/input\(interface)"
        identity.uniq = uniq
        return identity
    }

    @Test func aConfiguredScannerHasItsConfiguredName() {
        #expect(
            scanner(.configured("counter"), usb)
                == AttachedScanner(name: "counter", configuredName: "counter", identity: usb))
    }

    @Test func anAutomaticNameIsMadeOfNumbersAndPort() {
        #expect(
            scanner(.marked, usb)
                == AttachedScanner(name: "0c2e-0b61-usb-0000-00-14-0-2", identity: usb))
    }

    @Test func theSerialNumberIsPartOfTheName() {
        #expect(
            usb(port: 2, uniq: "S/N 1\u{1B}").automaticName
                == "0c2e-0b61-s-n-1--usb-0000-00-14-0-2")
    }

    @Test func anotherNodeOfTheSameHardwareIsTheSameScanner() {
        let first = scanner(.configured("counter"), usb(port: 2))
        #expect(
            scanner(.configured("counter"), usb(port: 2, interface: 1), besides: [first]) == first)
    }

    @Test func theNextDevicesOfAConfiguredScannerHaveNamesOfTheirOwn() {
        var attached: [AttachedScanner] = []
        for port in 2...4 {
            attached.append(
                scanner(.configured("counter"), usb(port: port, uniq: "1"), besides: attached))
        }
        #expect(
            attached.map(\.name) == [
                "counter", "0c2e-0b61-1-usb-0000-00-14-0-3", "0c2e-0b61-1-usb-0000-00-14-0-4",
            ])
        #expect(attached.allSatisfy { $0.configuredName == "counter" })
    }

    @Test func devicesThatNothingTellsApartAreNumbered() {
        let alike = DeviceIdentity(vendor: 1, product: 2)
        var attached: [AttachedScanner] = []
        for _ in 0..<3 { attached.append(scanner(.marked, alike, besides: attached)) }
        #expect(attached.map(\.name) == ["0001-0002", "0001-0002-2", "0001-0002-3"])
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

    @Test func theSurveyNamesEveryScanner() {
        let rules = SelectionRules(
            configured: [ConfiguredScanner(name: "counter", match: DeviceMatch(vendor: 0x0C2E))])
        let keys = KeyCapabilities(hasDigits: true, hasEnter: true)
        let identities = [usb(port: 2), usb(port: 5), usb(port: 2, interface: 1)]
        let devices = identities.enumerated().map { index, identity in
            SurveyedDevice(
                node: "/e\(index)",
                facts: .success(
                    DeviceFacts(node: "/e\(index)", identity: identity, interface: .keyboard(keys)))
            )
        }
        #expect(
            rules.judged(devices).map(\.scanner?.name)
                == ["counter", "0c2e-0b61-usb-0000-00-14-0-5", "counter"])
    }
}
