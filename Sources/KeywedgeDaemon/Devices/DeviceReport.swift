import Keystrokes
package import ScannerInput
package import WireText

/// The output of `keywedge devices`: the attached input devices, and advice on configuring scanners.
package struct DeviceReport: Equatable, Sendable {
    package var devices: [SurveyedDevice]
    /// The folder that contains the event nodes, usually `/dev/input`; nil if it does not exist.
    package var folder: String?
    /// Whether any configured scanner has a `match` setting.
    package var isConfigured: Bool

    package init(devices: [SurveyedDevice], folder: String?, isConfigured: Bool) {
        self.devices = devices
        self.folder = folder
        self.isConfigured = isConfigured
    }

    package var objects: [JSONObject] { devices.map(\.data) }

    /// The report as text: a block of lines for each device, and then ``advice``.
    package var lines: [String] {
        devices.flatMap { $0.lines(nodeWidth: nodeWidth) + [""] } + advice
    }

    /// Advice on configuring scanners; empty if none is needed.
    package var advice: [String] {
        if devices.contains(where: { $0.verdict?.rule != nil }) { return naming }
        guard folder != nil else {
            return [
                "Nothing would be claimed: /dev/input does not exist. No input device is attached,"
                    + " or this is a container that does not mount it."
            ]
        }
        guard let scanner = likelyScanner else {
            let reason =
                devices.isEmpty ? "no input device is attached" : "none of these can type a scan"
            return forbidden ?? [
                "Nothing would be claimed: \(reason). Plug the scanner in, and set it to keyboard mode"
                    + " (USB HID keyboard) or to HID POS. A serial port must be configured: match:"
                    + " {serial: /dev/serial/by-id/…}."
            ]
        }
        return (forbidden.map { $0 + [""] } ?? []) + example(scanner)
    }

    private var nodeWidth: Int { devices.map(\.node.utf8.count).max() ?? 0 }

    private var forbidden: [String]? {
        let forbidden = devices.compactMap(\.forbidden)
        guard !forbidden.isEmpty else { return nil }
        let isByRights = forbidden.allSatisfy(\.isByRights)
        return [
            "Nothing would be taken\(forbidden.clause)." + (isByRights ? " Run this as root." : "")
        ]
    }

    /// The last device that can type a scan, preferably on USB or Bluetooth; nil if no device can.
    private var likelyScanner: DeviceIdentity? {
        let buses: Set<UInt16> = [0x03, 0x05]
        let typing = devices.compactMap { try? $0.facts.get() }.filter(\.interface.canScan)
        return (typing.last { buses.contains($0.identity.bus) } ?? typing.last)?.identity
    }

    /// Advice on naming the scanners without a configured name; empty if all have one.
    private var naming: [String] {
        let scanners = devices.compactMap(\.scanner)
        var unnamed: [AttachedScanner] = []
        for scanner in scanners where scanner.configuredName != scanner.name {
            if !unnamed.contains(where: { $0.name == scanner.name }) { unnamed.append(scanner) }
        }
        guard !unnamed.isEmpty else { return [] }
        let names = unnamed.map(\.name).joined(separator: ", ")
        let what =
            unnamed.count == 1
            ? "A scanner without a name of its own is called by its numbers: \(names). To name it,"
            : "Scanners without names of their own are called by their numbers: \(names). To name"
                + " them,"
        let used = Set(scanners.compactMap(\.configuredName))
        let free = (1...).lazy.map { $0 == 1 ? "counter" : "counter-\($0)" }
            .filter { !used.contains($0) }
        return ["\(what) write into the configuration:", "", "  scanners:"]
            + zip(free, unnamed).flatMap { name, scanner in
                entry(
                    named: name, scanner.identity,
                    place: place(of: scanner.identity, among: scanners.map(\.identity)))
            }
    }

    private func entry(named name: String, _ identity: DeviceIdentity, place: String?) -> [String] {
        let numbers =
            "vendor: \"\(identity.vendor.fourHexDigits)\","
            + " product: \"\(identity.product.fourHexDigits)\""
        return [
            "    - name: \(name)", "      match: {\(numbers)\(place.map { ", \($0)" } ?? "")}",
        ]
    }

    /// Returns a `uniq` or `phys` setting to distinguish devices of one model; nil if unneeded or unknown.
    private func place(of identity: DeviceIdentity, among others: [DeviceIdentity]) -> String? {
        let alike = others.filter {
            $0.numbers == identity.numbers && !$0.isSameHardware(as: identity)
        }
        guard !alike.isEmpty else { return nil }
        let serial = identity.uniq.flatMap { uniq in
            !alike.contains { $0.uniq == uniq } ? "uniq: \(uniq.quoted(upTo: .max))" : nil
        }
        return serial ?? identity.hardware?.phys.map { "phys: \($0.quoted(upTo: .max))" }
    }

    private func example(_ identity: DeviceIdentity) -> [String] {
        let what = isConfigured ? "No configured scanner is attached" : "Nothing would be taken"
        return [
            "\(what). If the scanner is, for instance, the device \(identity.numbers), write into"
                + " the configuration:",
            "",
            "  scanners:",
        ] + entry(named: "counter", identity, place: nil)
    }
}
