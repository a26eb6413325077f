import KeywedgeConfiguration
import KeywedgeDaemon
import ScannerInput
import Testing

@Suite struct ScannerChoiceTests {
    private static let configured = Configuration.scanners([
        ("counter", DeviceMatch(vendor: 0x0C2E)), ("shelf", DeviceMatch(uniq: "S2")),
    ])

    private func choice(
        _ word: String, _ configuration: Configuration = configured, _ devices: Devices
    ) throws(ScannerChoiceError) -> ScannerChoice {
        try ScannerChoice(
            word, in: configuration, among: devices.surveyed(by: configuration))
    }

    private func names(_ word: String, _ configuration: Configuration = configured)
        throws -> String
    {
        let choice = try choice(word, configuration, Self.attached)
        return "\(choice.scanner.name) \(choice.nodes.joined(separator: " "))"
    }

    /// A scanner with two keyboards and a mouse, another scanner, and an ordinary keyboard.
    private static let attached: Devices = {
        var devices = Devices()
        devices.attach(2, 0x0C2E, 0x0B61, phys: "usb-1/input0")
        devices.attach(3, 0x0C2E, 0x0B61, phys: "usb-1/input1")
        devices.attach(4, 0x0C2E, 0x0B61, phys: "usb-1/input2", keys: Devices.mouse)
        devices.attach(10, 0x1A86, 0x5456, phys: "usb-2/input0", uniq: "S2")
        devices.attach(11, 0x046D, 0xC31C, phys: "usb-3/input0")
        return devices
    }()

    @Test(arguments: [
        ("counter", "counter /dev/input/event2 /dev/input/event3"),
        ("shelf", "shelf /dev/input/event10"),
        ("0c2e:0b61", "counter /dev/input/event2 /dev/input/event3"),
        ("1A86:5456", "shelf /dev/input/event10"),
        ("046d:c31c", "default /dev/input/event11"),
        ("/dev/input/event4", "default /dev/input/event4"),
        ("/dev/input/event3", "counter /dev/input/event3"),
        ("/dev/input/event99", "default /dev/input/event99"),
    ])
    func aWordMeansADeviceAndItsSettings(word: String, expected: String) throws {
        #expect(try names(word) == expected)
    }

    @Test func theOnlyScannerConfiguredIsTakenForADeviceNoneMatches() throws {
        let one = Configuration.scanners([("counter", DeviceMatch(vendor: 0x0C2E))])
        #expect(try names("046d:c31c", one) == "counter /dev/input/event11")
    }

    @Test func withoutAMatchTheNameMeansADeviceKnownAsScanner() throws {
        #expect(
            try names("default", .standard) == "default /dev/input/event2 /dev/input/event3")
    }

    @Test func theSecondDeviceOfAConfiguredScannerHasItsSettingsAndItsOwnName() throws {
        var twins = Devices()
        twins.attach(1, 0x0C2E, 1, phys: "usb-1/input0")
        twins.attach(2, 0x0C2E, 2, phys: "usb-2/input0")
        for word in ["0c2e:0002", "0c2e-0002-usb-2"] {
            let choice = try choice(word, twins)
            #expect(choice.scanner.name == "counter")
            #expect(choice.nodes == ["/dev/input/event2"])
        }
        #expect(try choice("counter", twins).nodes == ["/dev/input/event1"])
    }

    @Test func theNameThatEventsGiveAScannerMeansIt() throws {
        #expect(
            try names("0c2e-0b61-usb-1", .standard)
                == "default /dev/input/event2 /dev/input/event3")
    }

    @Test func anUnknownNameIsAnErrorThatSaysWhatThereIs() {
        let error = #expect(throws: ScannerChoiceError.self) {
            try choice("till\u{1B}[2J", Self.attached)
        }
        #expect(
            error?.description
                == "no scanner \"till\\x1b[2J\" is configured; expected one of \"counter\","
                + " \"shelf\", a node such as /dev/input/event3, or vendor:product such as"
                + " 0c2e:0b61")
    }

    @Test(arguments: ["0c2e", "0c2e:", "c2e:b61", "0c2e:0b61:1", "+c2e:0b61", "", "0x0c:2e0b"])
    func whatOnlyLooksLikeNumbersIsAName(word: String) {
        #expect(
            throws: ScannerChoiceError.unknown(word, known: ["counter", "shelf"])
        ) { try choice(word, Self.attached) }
    }

    @Test func whatIsNotAttachedIsAnErrorThatCountsWhatCouldNotBeSeen() {
        var devices = Devices()
        devices.attachForbidden(0)
        devices.attachForbidden(1)
        let error = #expect(throws: ScannerChoiceError.self) { try choice("counter", devices) }
        let text = error?.description ?? ""
        #expect(text.hasPrefix("\"counter\" is not attached"))
        #expect(text.contains("/dev/input/event0 may not be opened: "))
        #expect(text.hasSuffix("1 other"))
        #expect(throws: ScannerChoiceError.notAttached("1234:5678", forbidden: [])) {
            try choice("1234:5678", Devices())
        }
    }

    @Test func twoDevicesOfTheSameNumbersAreAmbiguous() {
        var devices = Devices()
        devices.attach(1, 0x05E0, 0x1200, phys: "usb-1/input0")
        devices.attach(2, 0x05E0, 0x1200, phys: "usb-2/input0")
        let error = #expect(throws: ScannerChoiceError.self) { try choice("05e0:1200", devices) }
        #expect(
            error?.description
                == "\"05e0:1200\" is more than one device; expected one of /dev/input/event1,"
                + " /dev/input/event2")
    }

    @Test func othersWhoHaveItOpenAreWarnedOf() throws {
        var devices = Devices()
        devices.attach(
            1, 0x0C2E, 1, holders: [NodeHolder(process: 81, command: "keywedge\n")])
        #expect(
            try choice("counter", devices).warning
                == "/dev/input/event1 is open in keywedge\\n (process 81) too; where that has"
                + " grabbed it, no key comes here")
        #expect(try choice("/dev/input/event1", devices).holders.count == 1)
        #expect(try choice("shelf", Self.attached).warning == nil)
    }

    private func choice(_ word: String, _ devices: Devices) throws(ScannerChoiceError)
        -> ScannerChoice
    {
        try choice(word, Self.configured, devices)
    }
}
