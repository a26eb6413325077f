import Foundation
import Keystrokes
import TestFolders
import Testing

@testable import ScannerInput

@Suite struct DescribedDeviceTests {
    private let sysfs: TemporaryFolder
    /// The attributes that Debian's kernel shows for a USB keyboard.
    private static let keyboard = [
        "name": "Plain Keyboard\n", "phys": "usb-1/input0\n", "uniq": "\n",
        "id/bustype": "0003\n", "id/vendor": "046d\n", "id/product": "c31c\n",
        "id/version": "0110\n", "capabilities/ev": "120013\n",
        "capabilities/key": "1000000000007 ff9f207ac14057ff febeffdfffefffff fffffffffffffffe\n",
        "capabilities/rel": "0\n", "capabilities/abs": "0\n",
    ]

    init() throws {
        sysfs = try TemporaryFolder()
    }

    /// Writes attributes of the device 13:67, and returns its description; nil if an attribute is missing.
    private func known(_ attributes: [String: String]) throws -> DescribedDevice? {
        for (name, value) in attributes {
            let file = URL(filePath: sysfs.path("dev/char/13:67/device/" + name))
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(value.utf8).write(to: file)
        }
        return DescribedDevice(number: 13 << 8 | 67, at: "/dev/input/event3", sysfs: sysfs.path(""))
    }

    @Test func aKeyboardIsKnownWithoutOpeningIt() throws {
        let known = try #require(try known(Self.keyboard))
        #expect(
            known.identity
                == DeviceIdentity(
                    name: "Plain Keyboard", bus: 3, vendor: 0x046D, product: 0xC31C,
                    version: 0x110, phys: "usb-1/input0"))
        #expect(known.interface.keys == KeyCapabilities(hasDigits: true, hasEnter: true))
    }

    @Test func keysThatTheDeviceNeverSendsDoNotCount() throws {
        let known = try known(Self.keyboard.merging(["capabilities/ev": "1\n"]) { $1 })
        #expect(known?.interface.keys == KeyCapabilities(hasDigits: false, hasEnter: false))
    }

    @Test(arguments: [("rel", "120017\n"), ("abs", "12001b\n")])
    func aPointingDeviceMovesAPointer(axes: String, types: String) throws {
        let attributes = ["capabilities/ev": types, "capabilities/\(axes)": "3\n"]
        let known = try known(Self.keyboard.merging(attributes) { $1 })
        #expect(known?.interface.keys?.movesPointer == true)
    }

    @Test func aNameMayEndInALineFeed() throws {
        let known = try known(Self.keyboard.merging(["name": "a\n\n"]) { $1 })
        #expect(known?.identity.name == "a\n")
    }

    @Test(arguments: ["id/vendor", "capabilities/key"], [nil, "", "zz\n"])
    func aMissingAttributeMeansNoDescription(name: String, value: String?) throws {
        var attributes = Self.keyboard
        attributes[name] = value
        #expect(try known(attributes) == nil)
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        let file = URL(filePath: sysfs.path(name))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    @Test func aScannerInHIDPOSModeIsKnownByItsReports() throws {
        let folder = "dev/char/240:1/device/"
        let uevent = """
            DRIVER=hid-generic
            HID_ID=0003:00000C2E:00000B61
            HID_NAME=Honeywell Voyager = 1470
            HID_PHYS=usb-0000:00:14.0-2/input0
            HID_UNIQ=

            """
        try write(Array(uevent.utf8), to: folder + "uevent")
        func known() -> DescribedDevice? {
            DescribedDevice(number: 240 << 8 | 1, at: "/dev/hidraw1", sysfs: sysfs.path(""))
        }
        #expect(known() == nil)
        try write(HIDDescriptors.badgeKeyboard, to: folder + "report_descriptor")
        #expect(known() == nil)
        try write(HIDDescriptors.honeywell, to: folder + "report_descriptor")
        #expect(
            known()?.identity
                == DeviceIdentity(
                    name: "Honeywell Voyager = 1470", bus: 3, vendor: 0x0C2E, product: 0x0B61,
                    phys: "usb-0000:00:14.0-2/input0"))
        #expect(known()?.interface.kind == .hidPOS)
    }

    @Test func aPortIsKnownByTheUSBDeviceItBelongsTo() throws {
        let device = "devices/usb1/1-2"
        for (name, value) in [
            ("idVendor", "05e0"), ("idProduct", "1701"), ("manufacturer", "Zebra"),
            ("product", "CDC Scanner"), ("serial", "S1"), ("bcdDevice", "0100"),
        ] {
            try write(Array("\(value)\n".utf8), to: "\(device)/\(name)")
        }
        try write([], to: "\(device)/1-2:1.0/tty/ttyACM0/dev")
        let link = sysfs.path("dev/char/166:0")
        try FileManager.default.createDirectory(
            atPath: link, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: link + "/device", withDestinationPath: sysfs.path("\(device)/1-2:1.0"))
        let known = DescribedDevice(
            number: 166 << 8, at: "/dev/serial/by-id/usb-Zebra", sysfs: sysfs.path(""))
        #expect(known?.interface == .serial)
        #expect(
            known?.identity
                == DeviceIdentity(
                    name: "Zebra CDC Scanner", bus: 3, vendor: 0x05E0, product: 0x1701,
                    version: 0x100, phys: "usb-1-2", uniq: "S1"))
        let plain = DescribedDevice(number: 4 << 8 | 64, at: "/dev/ttyS0", sysfs: sysfs.path(""))
        #expect(plain?.identity == DeviceIdentity())
    }
}
