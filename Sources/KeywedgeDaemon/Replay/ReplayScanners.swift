import Events
package import Keystrokes
package import KeywedgeConfiguration
import ScannerInput
import WireText

/// The configured scanners, and the choice of the one whose settings apply to a recording.
package struct ReplayScanners: Sendable {
    private let scanners: [ScannerConfiguration]
    private let chosen: ScannerConfiguration?

    package struct UnknownScanner: Error, Equatable, Sendable, CustomStringConvertible {
        package var name: String
        package var known: [String]

        package init(name: String, known: [String]) {
            self.name = name
            self.known = known
        }

        package var description: String {
            let names = known.map { $0.quoted(upTo: .max) }.joined(separator: ", ")
            let found = name.quoted(upTo: .max)
            return "no scanner \(found) is configured; expected one of \(names)"
        }
    }

    /// Creates an instance that always chooses the scanner `name`, unless `name` is nil.
    package init(configuration: Configuration, name: String?) throws(UnknownScanner) {
        scanners = configuration.scanners
        chosen = scanners.first { $0.name == name }
        if let name, chosen == nil {
            throw UnknownScanner(name: name, known: scanners.map(\.name))
        }
    }

    /// A device identity with the vendor and product from the chosen scanner's `match`.
    package var identity: DeviceIdentity {
        DeviceIdentity(
            name: "keywedge type", bus: 0x06, vendor: chosen?.match.vendor ?? 0,
            product: chosen?.match.product ?? 0)
    }

    /// The settings for a recording that does not identify its device.
    package var settings: ScanSettings { scanner(for: nil, .keyboard).scanSettings }

    /// Returns the scanner for a recorded device; `interface` is nil for a recording of keys.
    func section(
        for identity: DeviceIdentity?, _ interface: ScannerInterface?
    ) -> RecordingPlayer.Section {
        let interface =
            interface ?? .keyboard(KeyCapabilities(hasDigits: true, hasEnter: true))
        let scanner = scanner(for: identity, interface.kind)
        return RecordingPlayer.Section(
            label: ScannerLabel(
                name: scanner.name, settingsName: scanner.name, identity: identity,
                interface: interface.kind),
            assembler: InterfaceAssembler(interface, settings: scanner.scanSettings))
    }

    /// Returns the scanner chosen by name, or else the first that matches the device, or the only one, or a default.
    private func scanner(
        for identity: DeviceIdentity?, _ kind: ScannerInterface.Kind
    ) -> ScannerConfiguration {
        let matching = identity.flatMap { identity in
            scanners.first { $0.match.matches(identity, kind) { _ in false } }
        }
        let only = scanners.count == 1 ? scanners.first : nil
        return chosen ?? matching ?? only ?? ScannerConfiguration(name: "default")
    }
}
