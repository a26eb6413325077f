internal import Keystrokes

/// Decides which devices are scanners.
///
/// With scanners configured, those and no others. With none, only what a udev rule marked or what
/// comes from a maker of scanners; never a plain keyboard. A device that cannot type a scan is
/// refused whatever it is called.
package struct SelectionRules: Hashable, Sendable {
    /// The configured scanners, in the order of the configuration: name and match.
    package var configured: [ConfiguredDevice]

    /// A configured scanner's name and match.
    package struct ConfiguredDevice: Hashable, Sendable {
        /// The scanner's name.
        package var name: String
        /// Which device it is.
        package var match: DeviceMatch

        package init(name: String, match: DeviceMatch) {
            self.name = name
            self.match = match
        }
    }

    /// Makes rules.
    ///
    /// - Parameter configured: The configured scanners; none for automatic choice.
    package init(configured: [ConfiguredDevice] = []) {
        self.configured = configured
    }

    /// Every path a configured scanner is matched by.
    package var paths: [String] { configured.compactMap(\.match.path) }

    /// Decides on a device.
    ///
    /// - Parameter facts: What is known of it.
    /// - Returns: Whether it is taken, with the first rule that holds, or why not.
    package func verdict(on facts: DeviceFacts) -> SelectionVerdict {
        guard let rule = rule(for: facts) else {
            return .refused(
                configured.isEmpty ? .notKnownAsScanner : .matchesNoConfiguredScanner)
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
        for (index, scanner) in configured.enumerated()
        where scanner.match.matches(facts.identity, resolvesToDevice: facts.paths.contains) {
            return .configured(index: index, name: scanner.name)
        }
        return nil
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

    /// The buses on which these numbers are meant: USB and Bluetooth (`BUS_USB`, `BUS_BLUETOOTH`).
    package static let buses: Set<UInt16> = [0x03, 0x05]
}
