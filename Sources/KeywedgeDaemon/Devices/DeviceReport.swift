package import EvdevInput
import Keystrokes
package import WireText

/// What `devices` tells of the devices that are attached.
package struct DeviceReport: Equatable, Sendable {
    package var devices: [SurveyedDevice]
    /// The folder of the event nodes; nil where there is none.
    package var folder: String?
    /// Whether a configured scanner says which devices it is.
    package var isConfigured: Bool

    package init(devices: [SurveyedDevice], folder: String?, isConfigured: Bool) {
        self.devices = devices
        self.folder = folder
        self.isConfigured = isConfigured
    }

    /// One object a device, for programs.
    package var objects: [JSONObject] { devices.map(\.data) }

    /// A block of lines a device, for people, and at the end what to do where nothing is taken.
    package var lines: [String] {
        devices.flatMap { $0.lines(nodeWidth: nodeWidth) + [""] } + advice
    }

    /// What to do where no device would be taken, or one without a name; no line where all is well.
    package var advice: [String] {
        if devices.contains(where: { $0.verdict?.rule != nil }) { return naming }
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
            "Nothing would be taken, and \(count) of \(devices.count.counted("device")) cannot be opened:"
                + " run this as root, or as a member of their group."
        ]
    }

    /// The device an installer most probably means: one that can type, and is no built-in keyboard.
    private var likelyScanner: DeviceIdentity? {
        let buses: Set<UInt16> = [0x03, 0x05]
        let typing = devices.compactMap { try? $0.facts.get() }.filter(\.keys.canTypeAScan)
        return (typing.last { buses.contains($0.identity.bus) } ?? typing.last)?.identity
    }

    /// How to name the scanners that are taken without a name.
    private var naming: [String] {
        let unnamed = unnamedScanners
        guard !unnamed.isEmpty else { return [] }
        let names = unnamed.map(\.name).joined(separator: ", ")
        let what =
            unnamed.count == 1
            ? "A scanner that is not configured is called by its numbers: \(names). To name it,"
            : "Scanners that are not configured are called by their numbers: \(names). To name them,"
        return ["\(what) write into the configuration:", "", "  scanners:"]
            + unnamed.map(\.identity).enumerated().flatMap { index, identity in
                let isAlone = unnamed.count { $0.identity.numbers == identity.numbers } == 1
                return entry(
                    named: index == 0 ? "counter" : "counter-\(index + 1)", identity,
                    withPlace: !isAlone)
            }
    }

    /// The scanners that no configured scanner matches.
    private var unnamedScanners: [AttachedScanner] {
        devices.compactMap(\.scanner).reduce(into: []) { unnamed, scanner in
            let isKnown = unnamed.contains { $0.name == scanner.name }
            if scanner.configuredName == nil, !isKnown { unnamed.append(scanner) }
        }
    }

    /// A scanner's lines in the configuration; of several alike with what tells them apart.
    private func entry(
        named name: String, _ identity: DeviceIdentity, withPlace: Bool
    ) -> [String] {
        let place =
            identity.uniq.map { ", uniq: \($0.quoted(upTo: .max))" }
            ?? identity.hardware?.phys.map { ", phys: \($0.quoted(upTo: .max))" }
        let numbers =
            "vendor: \"\(identity.vendor.fourHexDigits)\","
            + " product: \"\(identity.product.fourHexDigits)\""
        return [
            "    - name: \(name)",
            "      match: {\(numbers)\(withPlace ? place ?? "" : "")}",
        ]
    }

    private func example(_ identity: DeviceIdentity) -> [String] {
        let what = isConfigured ? "No configured scanner is attached" : "Nothing would be taken"
        return [
            "\(what). If the scanner is, for instance, the device \(identity.numbers), write into"
                + " the configuration:",
            "",
            "  scanners:",
        ] + entry(named: "counter", identity, withPlace: false)
    }
}
