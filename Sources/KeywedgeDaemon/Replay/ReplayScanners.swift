import EvdevInput
import Events
package import Keystrokes
package import KeywedgeConfiguration
import WireText

/// Decides which configured scanner a recording is taken for.
package struct ReplayScanners: Sendable {
    /// A scanner, and an assembler for it: its tables are made once, however many devices of a
    /// recording are that scanner.
    private struct Known: Sendable {
        let configuration: ScannerConfiguration
        let assembler: ScanAssembler

        init(_ configuration: ScannerConfiguration) {
            self.configuration = configuration
            assembler = ScanAssembler(settings: configuration.scanSettings)
        }
    }

    private let scanners: [Known]
    private let chosen: Known?
    private let unconfigured = Known(ScannerConfiguration(name: "default"))

    /// Nothing is configured under a name.
    package struct UnknownScanner: Error, Equatable, Sendable, CustomStringConvertible {
        /// The name asked for.
        package var name: String
        /// The names there are.
        package var known: [String]

        package init(name: String, known: [String]) {
            self.name = name
            self.known = known
        }

        /// One sentence for a person.
        package var description: String {
            let names = known.map { $0.quoted(upTo: .max) }.joined(separator: ", ")
            let found = name.quoted(upTo: .max)
            return "no scanner \(found) is configured; expected one of \(names)"
        }
    }

    /// Makes the decision from a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - name: The scanner every recording is taken for; nil to decide by the recording.
    /// - Throws: `UnknownScanner` where no scanner has that name.
    package init(configuration: Configuration, name: String?) throws(UnknownScanner) {
        scanners = configuration.scanners.map { Known($0) }
        chosen = scanners.first { $0.configuration.name == name }
        if let name, chosen == nil {
            throw UnknownScanner(name: name, known: scanners.map(\.configuration.name))
        }
    }

    /// A device that is taken for the scanner chosen, as far as its configuration tells.
    package var identity: DeviceIdentity {
        DeviceIdentity(
            name: "keywedge type", bus: 0x06, vendor: chosen?.configuration.match.vendor ?? 0,
            product: chosen?.configuration.match.product ?? 0)
    }

    /// How the scanner types that a recording of no known device is taken for.
    package var settings: ScanSettings { section(for: nil).assembler.settings }

    /// The scanner for a recording: the one chosen, else the one its device matches, else the only
    /// one configured, else the defaults.
    ///
    /// - Parameter identity: The recording's device; nil where it does not tell.
    /// - Returns: The scanner's label and settings.
    func section(for identity: DeviceIdentity?) -> RecordingPlayer.Section {
        let matching = identity.flatMap { identity in
            scanners.first { $0.configuration.match.matches(identity) { _ in false } }
        }
        let only = scanners.count == 1 ? scanners.first : nil
        let scanner = chosen ?? matching ?? only ?? unconfigured
        return RecordingPlayer.Section(
            label: ScannerLabel(name: scanner.configuration.name, identity: identity),
            assembler: scanner.assembler)
    }
}
