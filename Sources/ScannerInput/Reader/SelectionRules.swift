package import Keystrokes
import WireText

/// The rules that decide which devices are scanners.
///
/// If any scanners are configured, only devices that match one of them are scanners. If none is configured, a device is
/// a scanner if a udev rule marked it, if its maker is known for scanners, or if it is a HID device that describes
/// itself as a scanner; an ordinary keyboard or a serial port never is. Devices that cannot type a scan are always
/// refused, and so is the keyboard on which keywedge itself types.
package struct SelectionRules: Sendable {
    /// The configured scanners; a device belongs to the first one that it matches.
    package var configured: [ConfiguredScanner]

    package init(configured: [ConfiguredScanner] = []) {
        self.configured = configured
    }

    /// Every device path that the configured scanners name, including serial ports.
    package var paths: [String] { configured.compactMap(\.match.path) + ports }

    var ports: [String] { configured.compactMap(\.match.serial) }

    /// Whether to examine all USB serial ports, because a configured serial scanner names no port.
    var searchesPorts: Bool {
        configured.contains { $0.match.interface == .serial && $0.match.serial == nil }
    }

    var includeKeyboards: Bool {
        configured.isEmpty
            || configured.contains { !$0.match.isForPorts && $0.match.interface != .hidPOS }
    }

    package func verdict(on facts: DeviceFacts) -> SelectionVerdict {
        guard let rule = rule(for: facts) else {
            return .refused(
                configured.isEmpty ? .notKnownAsScanner : .matchesNoConfiguredScanner)
        }
        guard facts.identity.phys != VirtualScanner.keyboardPhys else {
            return .refused(.ownKeyboard)
        }
        guard let keys = facts.interface.keys, !keys.canTypeAScan else { return .taken(rule) }
        return .refused(.cannotType(keys))
    }

    private func rule(for facts: DeviceFacts) -> SelectionVerdict.Rule? {
        guard configured.isEmpty else {
            let scanner = configured.first {
                $0.match.matches(
                    facts.identity, facts.interface.kind, resolvesToDevice: facts.paths.contains)
            }
            return scanner.map { .configured($0.name) }
        }
        if facts.interface == .serial { return nil }
        if facts.isMarked { return .marked }
        if case .hidPOS(let layout) = facts.interface, layout.isStandard {
            return .describedAsScanner
        }
        guard KnownMakers.buses.contains(facts.identity.bus) else { return nil }
        return KnownMakers.byVendor[facts.identity.vendor].map { .knownMaker($0) }
    }
}

package struct ConfiguredScanner: Sendable {
    /// The scanner's name, which is unique among the configured scanners.
    package var name: String
    package var match: DeviceMatch
    package var settings: ScanSettings
    /// The settings of the serial port; used only for a serial scanner.
    package var serial: SerialSettings

    package init(
        name: String, match: DeviceMatch, settings: ScanSettings = ScanSettings(),
        serial: SerialSettings = SerialSettings()
    ) {
        self.name = name
        self.match = match
        self.settings = settings
        self.serial = serial
    }
}

/// USB vendor IDs of companies that make barcode scanners.
///
/// Source: the USB ID Repository (`usb.ids`, linux-usb.org). A company is included if the products listed there are
/// scanners. The ID 11fa comes from public udev rules for Code Corporation's readers. Makers of ordinary keyboards are
/// left out.
package enum KnownMakers {
    package static let byVendor: [UInt16: String] = [
        0x0536: "Honeywell (Hand Held Products)",
        0x05E0: "Zebra (Symbol)",
        0x05F9: "Datalogic (PSC)",
        0x065A: "Opticon (Optoelectronics)",
        0x067E: "Honeywell (Intermec)",
        0x0745: "CipherLab (Syntech)",
        0x076D: "Denso Wave",
        0x080C: "Datalogic",
        0x0C2E: "Honeywell (Metrologic)",
        0x11FA: "Code Corporation",
        0x1EAB: "Newland",
        0x24EA: "Meva",
        0x27DD: "Mindeo",
    ]

    /// The buses that use USB vendor IDs: USB and Bluetooth (`BUS_USB`, `BUS_BLUETOOTH`).
    package static let buses: Set<UInt16> = [0x03, 0x05]
}

package enum SelectionVerdict: Hashable, Sendable {
    case taken(Rule)
    case refused(Refusal)

    package enum Rule: Hashable, Sendable {
        /// The device matches the configured scanner with this name.
        case configured(String)
        case marked
        /// No scanner is configured, and the device comes from this maker of scanners.
        case knownMaker(String)
        /// No scanner is configured, and the device's report descriptor describes a barcode scanner.
        case describedAsScanner
    }

    package enum Refusal: Hashable, Sendable {
        /// The device has too few keys to type a scan, although a rule selects it.
        case cannotType(KeyCapabilities)
        case matchesNoConfiguredScanner
        /// No scanner is configured, and no rule makes the device a scanner.
        case notKnownAsScanner
        /// The device is the virtual keyboard on which keywedge itself types scans.
        case ownKeyboard
    }

    package var rule: Rule? {
        if case .taken(let rule) = self { rule } else { nil }
    }
}

extension SelectionVerdict: CustomStringConvertible {
    /// The verdict as `keywedge devices` shows it, such as `claimed: a udev rule marked it as a scanner`.
    package var description: String {
        switch self {
        case .taken(let rule): "claimed: \(rule)"
        case .refused(let refusal): "not claimed: \(refusal)"
        }
    }
}

extension SelectionVerdict.Rule: CustomStringConvertible {
    package var description: String {
        switch self {
        case .configured(let name): "it matches the configured scanner \(name.quoted(upTo: .max))"
        case .marked: "a udev rule marked it as a scanner"
        case .knownMaker(let maker): "its maker makes scanners: \(maker)"
        case .describedAsScanner: "it says that it is a barcode scanner (HID POS)"
        }
    }
}

extension SelectionVerdict.Refusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .cannotType(let keys):
            "it cannot type a scan: expected ten digit keys and Enter, got \(keys.inWords)"
        case .matchesNoConfiguredScanner: "it matches no configured scanner"
        case .notKnownAsScanner:
            "nothing is configured, no udev rule marked it, and its maker is not known for scanners"
        case .ownKeyboard: "keywedge itself types scans on it"
        }
    }
}

extension KeyCapabilities {
    fileprivate var inWords: String {
        switch (hasDigits, hasEnter, movesPointer) {
        case (_, _, true) where !canTypeAScan: "a pointing device"
        case (false, false, _): "neither"
        case (false, true, _): "Enter alone"
        case (true, false, _): "digits alone"
        case (true, true, _): "both"
        }
    }
}
