import Foundation
import Keystrokes
import TestFolders
import Testing

@testable import ScannerInput

@Suite struct DescribedDeviceTests {
    private let sysfs: TemporaryFolder
    /// As Debian's kernel shows a USB keyboard.
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

    /// The device 13:67, described by attributes.
    private func known(_ attributes: [String: String]) throws -> DescribedDevice? {
        for (name, value) in attributes {
            let file = URL(filePath: sysfs.path("dev/char/13:67/device/" + name))
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(value.utf8).write(to: file)
        }
        return DescribedDevice(number: 13 << 8 | 67, sysfs: sysfs.path(""))
    }

    @Test func aKeyboardIsKnownWithoutOpeningIt() throws {
        let known = try #require(try known(Self.keyboard))
        #expect(
            known.identity
                == DeviceIdentity(
                    name: "Plain Keyboard", bus: 3, vendor: 0x046D, product: 0xC31C,
                    version: 0x110, phys: "usb-1/input0"))
        #expect(known.keys == KeyCapabilities(hasDigits: true, hasEnter: true))
    }

    @Test func keysThatTheDeviceNeverSendsDoNotCount() throws {
        let known = try known(Self.keyboard.merging(["capabilities/ev": "1\n"]) { $1 })
        #expect(known?.keys == KeyCapabilities(hasDigits: false, hasEnter: false))
    }

    @Test(arguments: [("rel", "120017\n"), ("abs", "12001b\n")])
    func aPointingDeviceMovesAPointer(axes: String, types: String) throws {
        let attributes = ["capabilities/ev": types, "capabilities/\(axes)": "3\n"]
        let known = try known(Self.keyboard.merging(attributes) { $1 })
        #expect(known?.keys.movesPointer == true)
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
}
