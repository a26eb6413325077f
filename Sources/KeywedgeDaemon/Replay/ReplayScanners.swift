import Events
package import Keystrokes
package import KeywedgeConfiguration
import ScannerInput
import WireText

/// Decides which configured scanner a recording comes from.
package struct ReplayScanners: Sendable {
    /// A configured scanner, and its keyboard assembler for recordings that do not describe their device.
    private struct Known: Sendable {
        let configuration: ScannerConfiguration
        let assembler: InterfaceAssembler

        init(_ configuration: ScannerConfiguration) {
            self.configuration = configuration
            assembler = InterfaceAssembler(
                .keyboard(KeyCapabilities(hasDigits: true, hasEnter: true)),
                settings: configuration.scanSettings)
        }

        /// The assembler for an interface; `interface` is nil for a recording of keys.
        func assembler(for interface: ScannerInterface?) -> InterfaceAssembler {
            interface.map { InterfaceAssembler($0, settings: configuration.scanSettings) }
                ?? assembler
        }
    }

    private let scanners: [Known]
    private let chosen: Known?
    private let unconfigured = Known(ScannerConfiguration(name: "default"))

    /// No configured scanner has this name; `known` contains the configured names.
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

    /// Uses the scanner `name` for every recording; if `name` is nil, each recording's device decides.
    ///
    /// - Throws: `UnknownScanner` if no scanner has this name.
    package init(configuration: Configuration, name: String?) throws(UnknownScanner) {
        scanners = configuration.scanners.map { Known($0) }
        chosen = scanners.first { $0.configuration.name == name }
        if let name, chosen == nil {
            throw UnknownScanner(name: name, known: scanners.map(\.configuration.name))
        }
    }

    /// The identity of a device with the vendor and product of the chosen scanner's `match`; 0 if it has none.
    package var identity: DeviceIdentity {
        DeviceIdentity(
            name: "keywedge type", bus: 0x06, vendor: chosen?.configuration.match.vendor ?? 0,
            product: chosen?.configuration.match.product ?? 0)
    }

    /// The settings for a recording that does not name its device.
    package var settings: ScanSettings { section(for: nil, nil).assembler.scans.settings }

    /// The scanner for a recorded device: the chosen one, a matching one, the only configured one, or the defaults.
    func section(
        for identity: DeviceIdentity?, _ interface: ScannerInterface?
    ) -> RecordingPlayer.Section {
        let kind = interface?.kind ?? .keyboard
        let matching = identity.flatMap { identity in
            scanners.first { $0.configuration.match.matches(identity, kind) { _ in false } }
        }
        let only = scanners.count == 1 ? scanners.first : nil
        let scanner = chosen ?? matching ?? only ?? unconfigured
        return RecordingPlayer.Section(
            label: ScannerLabel(
                name: scanner.configuration.name, settingsName: scanner.configuration.name,
                identity: identity, interface: kind),
            assembler: scanner.assembler(for: interface))
    }
}
