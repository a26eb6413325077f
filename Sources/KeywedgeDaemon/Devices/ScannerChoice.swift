import Events
import Keystrokes
package import KeywedgeConfiguration
package import ScannerInput
import WireText

/// The device named on the command line, and how it types.
package struct ScannerChoice: Equatable, Sendable {
    package var scanner: ScannerConfiguration
    /// Its nodes, in the order of their numbers: never empty.
    package var nodes: [String]
    /// The other processes that have them open.
    ///
    /// If one of them has claimed the device, no other process gets its keys.
    package var holders: [NodeHolder]

    package init(scanner: ScannerConfiguration, nodes: [String], holders: [NodeHolder] = []) {
        self.scanner = scanner
        self.nodes = nodes
        self.holders = holders
    }

    /// Finds the device for a word: the name of a scanner, a node (which contains a slash and is not a link), or vendor
    /// and product such as `0c2e:0b61`.
    ///
    /// A device that no configured scanner matches types as the only configured scanner, or else as the defaults say.
    /// `devices` have been judged by the configuration's rules.
    /// - Throws: ``ScannerChoiceError``.
    package init(
        _ word: String, in configuration: Configuration, among devices: [SurveyedDevice]
    ) throws(ScannerChoiceError) {
        if word.contains("/") {
            let device = devices.first { $0.node == word }
            self.init(
                scanner: configuration.scanner(for: device?.verdict), nodes: [word],
                holders: device?.holders ?? [])
            return
        }
        let open = devices.filter { (try? $0.facts.get()) != nil }
        let matching = try Self.devices(word, in: configuration, among: open)
        let typing = matching.filter { $0.canTypeAScan }
        let candidates = typing.isEmpty ? matching : typing
        guard let first = candidates.first else {
            throw .notAttached(word, forbidden: devices.compactMap(\.forbidden))
        }
        guard candidates.allSatisfy({ $0 == first || $0.isSameHardware(as: first) }) else {
            throw .ambiguous(word, nodes: candidates.map(\.node))
        }
        self.init(
            scanner: configuration.scanner(for: first.verdict), nodes: candidates.map(\.node),
            holders: Set(candidates.flatMap(\.holders)).sorted { $0.process < $1.process })
    }

    /// The devices for a word: numbers, the name that a scanner has in events, or the name of the
    /// settings for all scanners that no configured one matches.
    private static func devices(
        _ word: String, in configuration: Configuration, among open: [SurveyedDevice]
    ) throws(ScannerChoiceError) -> [SurveyedDevice] {
        let numbers = word.split(separator: ":", omittingEmptySubsequences: false)
            .map { $0.utf8.count == 4 && $0.allSatisfy(\.isHexDigit) ? UInt16($0, radix: 16) : nil }
        if numbers.count == 2, let vendor = numbers[0], let product = numbers[1] {
            return open.filter { device in
                (try? device.facts.get()).map {
                    $0.identity.vendor == vendor && $0.identity.product == product
                } ?? false
            }
        }
        let named = open.filter { $0.scanner?.name == word }
        guard named.isEmpty else { return named }
        guard let scanner = configuration.scanners.first(where: { $0.name == word }) else {
            throw .unknown(word, known: configuration.scanners.map(\.name))
        }
        return scanner.match.isEmpty
            ? open.filter { $0.scanner.map { $0.configuredName == nil } ?? false } : []
    }
}

extension SurveyedDevice {
    fileprivate var canTypeAScan: Bool { (try? facts.get())?.interface.canScan ?? false }

    fileprivate func isSameHardware(as other: SurveyedDevice) -> Bool {
        guard let own = try? facts.get(), let others = try? other.facts.get() else { return false }
        return own.interface.kind == others.interface.kind
            && own.identity.isSameHardware(as: others.identity)
    }
}

extension Configuration {
    /// The scanner whose settings apply to a device.
    fileprivate func scanner(for verdict: SelectionVerdict?) -> ScannerConfiguration {
        let known: String? =
            if case .taken(.configured(let name)) = verdict { name } else { nil }
        if let scanner = scanners.first(where: { $0.name == known }) { return scanner }
        let automatic = scanners.first { $0.match.isEmpty }
        return automatic
            ?? (scanners.count == 1 ? scanners[0] : ScannerConfiguration(name: "default"))
    }
}

extension ScannerChoice {
    /// A warning about other processes that have the device open; nil if no other has.
    package var warning: String? {
        guard !holders.isEmpty else { return nil }
        return "\(nodes.joined(separator: ", ")) is open in \(holders.inWords) too; where that has"
            + " grabbed it, no key comes here"
    }
}

extension [NodeHolder] {
    /// The processes with their numbers, escaped.
    var inWords: String {
        map { "\(Escaping.line.escaped($0.command)) (process \($0.process))" }
            .joined(separator: ", ")
    }
}

/// Why no device could be found for a word on the command line.
package enum ScannerChoiceError: Error, Equatable, Sendable {
    /// No scanner of that name is configured or attached; these are configured.
    case unknown(String, known: [String])
    /// It is not among the devices whose nodes can be opened; this user lacks permission for the `forbidden` ones.
    case notAttached(String, forbidden: [ForbiddenNode])
    /// The word matches more than one device.
    case ambiguous(String, nodes: [String])
}

extension ScannerChoiceError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknown(let word, let known):
            let names = known.map { $0.quoted(upTo: .max) }.joined(separator: ", ")
            return
                "no scanner \(word.quoted(upTo: .max)) is configured; expected one of \(names), a node"
                + " such as /dev/input/event3, or vendor:product such as 0c2e:0b61"
        case .notAttached(let word, let forbidden):
            return "\(word.quoted(upTo: .max)) is not attached (keywedge devices lists what is)"
                + forbidden.clause
        case .ambiguous(let word, let nodes):
            return "\(word.quoted(upTo: .max)) is more than one device; expected one of"
                + " \(nodes.joined(separator: ", "))"
        }
    }

}
