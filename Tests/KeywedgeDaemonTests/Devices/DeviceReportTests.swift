import Events
import KeywedgeConfiguration
import KeywedgeDaemon
import ScannerInput
import Testing
import WireText

@Suite struct DeviceReportTests {
    private func report(
        _ devices: Devices, _ configuration: Configuration = .standard,
        folder: String? = "/dev/input"
    ) -> DeviceReport {
        DeviceReport(
            devices: devices.surveyed(by: configuration), folder: folder,
            isConfigured: !configuration.readerConfiguration.rules.configured.isEmpty)
    }

    private static let mixed: Devices = {
        var devices = Devices()
        devices.attach(
            2, 0x0C2E, 0x0B61, name: "Voyager\u{1B}[2J", phys: "usb-1/input0", uniq: "SN\n1",
            holders: [
                NodeHolder(process: 7, command: "Xorg"), NodeHolder(process: 81, command: "a\tb"),
            ])
        devices.attach(12, 0x046D, 0xC077, bus: 0x99, keys: Devices.mouse)
        return devices
    }()

    @Test func aDeviceIsABlockOfLines() {
        #expect(
            report(Self.mixed).lines == [
                "* /dev/input/event2   0c2e:0b61  Voyager\\x1b[2J",
                "                      claimed: its maker makes scanners: Honeywell (Metrologic)",
                "                      bus usb",
                "                      phys usb-1/input0",
                "                      uniq SN\\n1",
                "                      open in Xorg (process 7), a\\tb (process 81)",
                "",
                "  /dev/input/event12  046d:c077  (no name)",
                "                      not claimed: nothing is configured, no udev rule marked it, and"
                    + " its maker is not known for scanners",
                "                      bus 0099",
                "",
                "A scanner without a name of its own is called by its numbers: 0c2e-0b61-sn-1-usb-1. To name"
                    + " it, write into the configuration:",
                "",
                "  scanners:",
                "    - name: counter",
                "      match: {vendor: \"0c2e\", product: \"0b61\"}",
            ])
    }

    @Test func aDeviceIsAnObject() {
        #expect(
            report(Self.mixed).objects.map { JSONWriter.text(of: .object($0)) } == [
                #"{"node":"/dev/input/event2","name":"Voyager\u001b[2J","vendor":"0c2e","#
                    + #""product":"0b61","bus":"usb","phys":"usb-1/input0","uniq":"SN\u000a1","#
                    + #""interface":"keyboard","keys":{"digits":true,"enter":true,"pointer":false},"marked":false,"#
                    + #""taken":true,"rule":"known-maker","#
                    + #""reason":"its maker makes scanners: Honeywell (Metrologic)","#
                    + #""scanner":"0c2e-0b61-sn-1-usb-1","#
                    + #""open_in":[{"process":7,"command":"Xorg"},"#
                    + #"{"process":81,"command":"a\u0009b"}]}"#,
                #"{"node":"/dev/input/event12","name":null,"vendor":"046d","product":"c077","#
                    + #""bus":"0099","phys":null,"uniq":null,"#
                    + #""interface":"keyboard","keys":{"digits":false,"enter":false,"pointer":true},"marked":false,"#
                    + #""taken":false,"refusal":"not-known","#
                    + #""reason":"nothing is configured, no udev rule marked it, and its maker is"#
                    + #" not known for scanners","open_in":[]}"#,
            ])
    }

    @Test func aDeviceThatCannotBeOpenedSaysWhy() {
        var devices = Devices()
        devices.attachForbidden(1)
        let report = report(devices)
        #expect(
            report.lines.dropLast() == [
                "  /dev/input/event1  cannot be opened",
                "                     /dev/input/event1: open failed: Permission denied (errno 13)",
                "",
            ])
        #expect(report.advice.joined().contains("/dev/input/event1 may not be opened: "))
        #expect(report.advice.joined().hasSuffix("Run this as root."))
        #expect(
            report.objects.map { JSONWriter.text(of: .object($0)) } == [
                #"{"node":"/dev/input/event1","error":"/dev/input/event1: open failed: Permission"#
                    + #" denied (errno 13)","taken":null,"open_in":[]}"#
            ])
    }

    @Test func withoutTheFolderItSaysSo() {
        let lines = report(Devices(), folder: nil).lines
        #expect(lines.count == 1)
        #expect(lines.first?.contains("/dev/input does not exist") == true)
    }

    @Test func withoutAnythingThatTypesItSaysWhatToSet() {
        var devices = Devices()
        devices.attach(1, 1, 1, keys: Devices.mouse)
        #expect(
            report(devices).advice == [
                "Nothing would be claimed: none of these can type a scan. Plug the scanner in, and"
                    + " set it to keyboard mode (USB HID keyboard) or to HID POS. A serial port must be"
                    + " configured: match: {serial: /dev/serial/by-id/…}."
            ])
    }

    @Test func withoutAnyDeviceItSaysThat() {
        #expect(
            report(Devices()).lines == [
                "Nothing would be claimed: no input device is attached. Plug the scanner in, and set"
                    + " it to keyboard mode (USB HID keyboard) or to HID POS. A serial port must be"
                    + " configured: match: {serial: /dev/serial/by-id/…}."
            ])
        #expect(report(Devices()).objects == [])
    }

    @Test func theExampleIsTheLastKeyboardThatCanBePluggedIn() {
        var devices = Devices()
        devices.attach(0, 0x0001, 0x0001, bus: 0x11)
        devices.attach(1, 0x046D, 0xC31C)
        devices.attach(2, 0x1A86, 0x5456)
        devices.attach(3, 0x0001, 0x0001, bus: 0x19)
        let example = [
            "",
            "  scanners:",
            "    - name: counter",
            "      match: {vendor: \"1a86\", product: \"5456\"}",
        ]
        #expect(
            report(devices).advice == [
                "Nothing would be taken. If the scanner is, for instance, the device 1a86:5456,"
                    + " write into the configuration:"
            ] + example)
        let configured = Configuration.scanners([("till", DeviceMatch(vendor: 0x0C2E))])
        #expect(
            report(devices, configured).advice == [
                "No configured scanner is attached. If the scanner is, for instance, the device"
                    + " 1a86:5456, write into the configuration:"
            ] + example)
        devices.attachForbidden(4)
        #expect(report(devices).advice.count == 7)
    }

    @Test func theExampleIsAConfigurationThatTakesTheDevice() throws {
        var devices = Devices()
        devices.attach(2, 0x1A86, 0x5456)
        let yaml = report(devices).advice.dropFirst(2).joined(separator: "\n")
        let configuration = try Configuration.parse(text: yaml, file: "keywedge.yaml")
        #expect(
            devices.surveyed(by: configuration).map(\.verdict)
                == [.taken(.configured("counter"))])
        #expect(report(devices, configuration).advice == [])
    }

    @Test func scannersWithoutANameAreNamedApart() throws {
        var devices = Devices()
        devices.attach(1, 0x0C2E, 0x0B61, phys: "usb-1/input0", uniq: "A\"1")
        devices.attach(2, 0x0C2E, 0x0B61, phys: "usb-1/input1", uniq: "A\"1")
        devices.attach(3, 0x0C2E, 0x0B61, phys: "usb-2/input0")
        devices.attach(4, 0x05F9, 0x0001, phys: "usb-3/input0")
        let advice = report(devices).advice
        #expect(
            advice == [
                "Scanners without names of their own are called by their numbers:"
                    + " 0c2e-0b61-a-1-usb-1, 0c2e-0b61-usb-2, 05f9-0001-usb-3. To name them,"
                    + " write into the configuration:",
                "",
                "  scanners:",
                "    - name: counter",
                #"      match: {vendor: "0c2e", product: "0b61", uniq: "A\"1"}"#,
                "    - name: counter-2",
                #"      match: {vendor: "0c2e", product: "0b61", phys: "usb-2"}"#,
                "    - name: counter-3",
                #"      match: {vendor: "05f9", product: "0001"}"#,
            ])
        let yaml = advice.dropFirst(2).joined(separator: "\n")
        let configuration = try Configuration.parse(text: yaml, file: "keywedge.yaml")
        #expect(
            devices.surveyed(by: configuration).map(\.verdict)
                == ["counter", "counter", "counter-2", "counter-3"]
                .map { .taken(.configured($0)) })
        #expect(report(devices, configuration).advice == [])
    }

    @Test(arguments: [
        (SelectionVerdict.taken(.marked), #""taken":true,"rule":"marked""#),
        (.taken(.configured("a")), #""rule":"configured","reason""#),
        (.refused(.cannotType(Devices.mouse)), #""refusal":"cannot-type""#),
        (.refused(.matchesNoConfiguredScanner), #""refusal":"matches-no-scanner""#),
        (.refused(.ownKeyboard), #""refusal":"own-keyboard""#),
    ])
    func everyVerdictHasAName(verdict: SelectionVerdict, expected: String) {
        var devices = Devices()
        devices.attach(2, 1, 1)
        var report = report(devices)
        report.devices[0].verdict = verdict
        let object = report.objects.map { JSONWriter.text(of: .object($0)) }
        #expect(object.first?.contains(expected) == true, "\(object)")
    }
}
