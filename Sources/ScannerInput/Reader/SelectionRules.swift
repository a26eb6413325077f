package import Keystrokes
import WireText

/// Decides which devices are scanners.
///
/// If any are configured, only those are scanners. Otherwise only devices that a udev rule marked
/// or that come from a maker of scanners are, and never a plain keyboard. A device that cannot type
/// a scan is refused whatever its name is, and so is the keyboard on which keywedge itself types.
package struct SelectionRules: Sendable {
    /// The configured scanners, in the order of the configuration.
    package var configured: [ConfiguredScanner]

    /// With no scanner configured, scanners are found automatically.
    package init(configured: [ConfiguredScanner] = []) {
        self.configured = configured
    }

    /// Every path in the matches of the configured scanners.
    package var paths: [String] { configured.compactMap(\.match.path) }

    /// Decides about a device by the first rule that holds.
    package func verdict(on facts: DeviceFacts) -> SelectionVerdict {
        guard let rule = rule(for: facts) else {
            return .refused(
                configured.isEmpty ? .notKnownAsScanner : .matchesNoConfiguredScanner)
        }
        guard facts.identity.phys != VirtualScanner.keyboardPhys else {
            return .refused(.ownKeyboard)
        }
        return facts.keys.canTypeAScan ? .taken(rule) : .refused(.cannotType(facts.keys))
    }

    private func rule(for facts: DeviceFacts) -> SelectionVerdict.Rule? {
        guard configured.isEmpty else { return configuredRule(for: facts) }
        if facts.isMarked { return .marked }
        guard KnownMakers.buses.contains(facts.identity.bus) else { return nil }
        return KnownMakers.byVendor[facts.identity.vendor].map { .knownMaker($0) }
    }

    private func configuredRule(for facts: DeviceFacts) -> SelectionVerdict.Rule? {
        configured
            .first { $0.match.matches(facts.identity, resolvesToDevice: facts.paths.contains) }
            .map { .configured($0.name) }
    }
}

/// A configured scanner: its name, the devices it matches, and how it types.
package struct ConfiguredScanner: Sendable {
    /// Unique among the configured scanners.
    package var name: String
    package var match: DeviceMatch
    package var settings: ScanSettings

    package init(name: String, match: DeviceMatch, settings: ScanSettings = ScanSettings()) {
        self.name = name
        self.match = match
        self.settings = settings
    }
}

/// USB vendor numbers of companies that make barcode scanners.
///
/// Source: the USB ID Repository (`usb.ids`, linux-usb.org), the companies there whose listed
/// products are scanners; 11fa is Code Corporation's, which public udev rules for its readers use.
/// A company that also sells ordinary keyboards is not in the table.
package enum KnownMakers {
    /// The companies by USB vendor number.
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

    /// The buses to which these numbers apply: USB and Bluetooth (`BUS_USB`, `BUS_BLUETOOTH`).
    package static let buses: Set<UInt16> = [0x03, 0x05]
}

/// Whether a device is a scanner, and why or why not.
package enum SelectionVerdict: Hashable, Sendable {
    case taken(Rule)
    /// The device is left alone.
    case refused(Refusal)

    /// The rule that makes a device a scanner.
    package enum Rule: Hashable, Sendable {
        /// It matches the configured scanner of this name.
        case configured(String)
        /// Nothing is configured, and a udev rule marked it.
        case marked
        /// Nothing is configured, and its maker makes scanners.
        case knownMaker(String)
    }

    /// Why a device is left alone.
    package enum Refusal: Hashable, Sendable {
        /// A rule holds, but the device cannot type a scan.
        case cannotType(KeyCapabilities)
        case matchesNoConfiguredScanner
        /// Nothing is configured, and it is neither marked nor of a known maker.
        case notKnownAsScanner
        /// A rule holds, but it is the keyboard that keywedge itself types scans on.
        case ownKeyboard
    }

    /// The rule, if it is a scanner.
    package var rule: Rule? {
        if case .taken(let rule) = self { rule } else { nil }
    }
}

extension SelectionVerdict: CustomStringConvertible {
    /// One clause for `devices` and the log.
    package var description: String {
        switch self {
        case .taken(let rule): "taken: \(rule)"
        case .refused(let refusal): "not taken: \(refusal)"
        }
    }
}

extension SelectionVerdict.Rule: CustomStringConvertible {
    package var description: String {
        switch self {
        case .configured(let name): "it matches the configured scanner \(name.quoted(upTo: .max))"
        case .marked: "a udev rule marked it as a scanner"
        case .knownMaker(let maker): "its maker makes scanners: \(maker)"
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
