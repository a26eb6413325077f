import Keystrokes
import ScannerInput
import WireText

extension DeviceMatch {
    static let section = Section("match", DeviceMatch()) {
        Setting("vendor", \.vendor, .usbNumber, "The vendor's number, as lsusb shows it.")
        Setting("product", \.product, .usbNumber, "The vendor's number for the product.")
        Setting(
            "name", \.name, Codec.nonEmptyText.map(Glob.init, \.pattern),
            "The name; * stands for any characters, ? for one.")
        Setting(
            "path", \.path, .devicePath,
            "The node or a link to it, as /dev/input/by-id/usb-…-event-kbd.")
        Setting("phys", \.phys, .nonEmptyText, "Where it is plugged in.")
        Setting("uniq", \.uniq, .nonEmptyText, "The serial number or Bluetooth address.")
    }
}

extension Codec<UInt16> {
    /// A number as lsusb shows it, or shortened after `0x` as evtest does.
    ///
    /// It is the scalar's text that counts: to YAML, `0627` is octal and `1e10` has eleven digits.
    fileprivate static let usbNumber = text(
        "four hexadecimal digits such as 0c2e",
        .text(pattern: "^([0-9A-Fa-f]{4}|0[xX][0-9A-Fa-f]{1,4})$"),
        read: { text in
            let isMarked = text.hasPrefix("0x") || text.hasPrefix("0X")
            let digits = isMarked ? text.dropFirst(2) : text[...]
            guard (isMarked ? 1...4 : 4...4).contains(digits.utf8.count),
                digits.allSatisfy({ $0.isASCII && $0.isHexDigit })
            else { return nil }
            return UInt16(digits, radix: 16)
        }, write: \.fourHexDigits)
}

extension Codec<String> {
    fileprivate static let devicePath = text(
        "the absolute path of a device such as /dev/input/event5", .string(pattern: "^/")
    ) { $0.hasPrefix("/") && !$0.contains("\0") }
}
