public import EvdevInput
import Keystrokes
public import WireText

/// What `devices` tells of the devices that are attached.
public struct DeviceReport: Equatable, Sendable {
    /// The devices.
    public var devices: [SurveyedDevice]
    /// The folder of the event nodes; nil where there is none.
    public var folder: String?
    /// Whether a configured scanner says which devices it is.
    public var isConfigured: Bool

    /// Makes a report.
    ///
    /// - Parameters:
    ///   - devices: The devices.
    ///   - folder: The folder of the event nodes; nil where there is none.
    ///   - isConfigured: Whether a configured scanner says which devices it is.
    public init(devices: [SurveyedDevice], folder: String?, isConfigured: Bool) {
        self.devices = devices
        self.folder = folder
        self.isConfigured = isConfigured
    }

    /// One object a device, for programs.
    public var objects: [JSONObject] { devices.map(\.data) }

    /// A block of lines a device, for people, and at the end what to do where nothing is taken.
    public var lines: [String] {
        devices.flatMap { $0.lines(nodeWidth: nodeWidth) + [""] } + advice
    }

    /// What to do where no device would be taken; no line where one would.
    public var advice: [String] {
        if devices.contains(where: { $0.verdict?.rule != nil }) { return [] }
        guard folder != nil else {
            return [
                "Nothing would be taken: /dev/input does not exist. No input device is attached,"
                    + " or this is a container without devices."
            ]
        }
        guard let scanner = likelyScanner else {
            let reason =
                devices.isEmpty ? "no input device is attached" : "none of these can type a scan"
            return forbidden ?? [
                "Nothing would be taken: \(reason). Plug the scanner in, and set it to keyboard mode"
                    + " (USB HID keyboard)."
            ]
        }
        return (forbidden.map { $0 + [""] } ?? []) + example(scanner)
    }

    private var nodeWidth: Int { devices.map(\.node.utf8.count).max() ?? 0 }

    private var forbidden: [String]? {
        let count = devices.count { (try? $0.facts.get()) == nil }
        guard count > 0 else { return nil }
        return [
            "Nothing would be taken, and \(count) of \(devices.count) devices cannot be opened:"
                + " run this as root, or as a member of their group."
        ]
    }

    /// The device an installer most probably means: one that can type, and is no built-in keyboard.
    private var likelyScanner: DeviceIdentity? {
        let buses: Set<UInt16> = [0x03, 0x05]
        let typing = devices.compactMap { try? $0.facts.get() }.filter(\.keys.canTypeAScan)
        return (typing.last { buses.contains($0.identity.bus) } ?? typing.last)?.identity
    }

    private func example(_ identity: DeviceIdentity) -> [String] {
        let vendor = identity.vendor.fourHexDigits
        let product = identity.product.fourHexDigits
        let what = isConfigured ? "No configured scanner is attached" : "Nothing would be taken"
        return [
            "\(what). If the scanner is, for instance, the device \(vendor):\(product), write into"
                + " the configuration:",
            "",
            "  scanners:",
            "    - name: counter",
            "      match: {vendor: \"\(vendor)\", product: \"\(product)\"}",
        ]
    }
}
