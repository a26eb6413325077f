package import EvdevInput
import Events
import Keystrokes
package import KeywedgeConfiguration
import WireText

/// The device somebody means on the command line, and how it types.
package struct ScannerChoice: Equatable, Sendable {
    /// How it types.
    package var scanner: ScannerConfiguration
    /// Its nodes, in the order of their numbers: never empty.
    package var nodes: [String]
    /// Who else has them open: where one of those has grabbed them, nobody else gets a key.
    package var holders: [NodeHolder]

    package init(scanner: ScannerConfiguration, nodes: [String], holders: [NodeHolder] = []) {
        self.scanner = scanner
        self.nodes = nodes
        self.holders = holders
    }

    /// Finds the device that a word means.
    ///
    /// A device that no configured scanner matches types as the only scanner configured, else as
    /// the defaults say.
    ///
    /// - Parameters:
    ///   - word: The name of a configured scanner; or a node, known by its slash and free of links;
    ///     or vendor and product as `0c2e:0b61`.
    ///   - configuration: The configuration.
    ///   - devices: What is attached, judged by the rules of that configuration.
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
        let open = devices.compactMap(OpenDevice.init)
        let matching = try Self.devices(word, in: configuration, among: open)
        let typing = matching.filter(\.facts.keys.canTypeAScan)
        let candidates = typing.isEmpty ? matching : typing
        guard let first = candidates.first else {
            throw .notAttached(word, forbidden: devices.count - open.count)
        }
        let others = candidates.dropFirst()
        guard others.allSatisfy({ $0.facts.identity.isSameHardware(as: first.facts.identity) })
        else { throw .ambiguous(word, nodes: candidates.map(\.facts.node)) }
        self.init(
            scanner: configuration.scanner(for: first.verdict),
            nodes: candidates.map(\.facts.node),
            holders: Set(candidates.flatMap(\.holders)).sorted { $0.process < $1.process })
    }

    /// A device that could be opened.
    private struct OpenDevice {
        let facts: DeviceFacts
        let verdict: SelectionVerdict
        let holders: [NodeHolder]

        init?(_ device: SurveyedDevice) {
            guard case .success(let facts) = device.facts, let verdict = device.verdict else {
                return nil
            }
            self.facts = facts
            self.verdict = verdict
            holders = device.holders
        }
    }

    private static func devices(
        _ word: String, in configuration: Configuration, among open: [OpenDevice]
    ) throws(ScannerChoiceError) -> [OpenDevice] {
        let numbers = word.split(separator: ":", omittingEmptySubsequences: false)
            .map { $0.utf8.count == 4 && $0.allSatisfy(\.isHexDigit) ? UInt16($0, radix: 16) : nil }
        if numbers.count == 2, let vendor = numbers[0], let product = numbers[1] {
            return open.filter {
                $0.facts.identity.vendor == vendor && $0.facts.identity.product == product
            }
        }
        guard let scanner = configuration.scanners.first(where: { $0.name == word }) else {
            throw .unknown(word, known: configuration.scanners.map(\.name))
        }
        return open.filter {
            $0.verdict.rule != nil && configuration.scanner(for: $0.verdict).name == scanner.name
        }
    }
}

extension Configuration {
    /// The scanner whose settings hold for a device.
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
    /// What to know about those who have the device open too; nil where nobody has.
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
    /// No scanner of that name is configured; the names there are.
    case unknown(String, known: [String])
    /// It is not attached; so many devices could not be looked at.
    case notAttached(String, forbidden: Int)
    /// More than one device is meant.
    case ambiguous(String, nodes: [String])
}

extension ScannerChoiceError: CustomStringConvertible {
    /// One sentence for a person.
    package var description: String {
        switch self {
        case .unknown(let word, let known):
            let names = known.map { $0.quoted(upTo: .max) }.joined(separator: ", ")
            return
                "no scanner \(word.quoted(upTo: .max)) is configured; expected one of \(names), a node"
                + " such as /dev/input/event3, or vendor:product such as 0c2e:0b61"
        case .notAttached(let word, let forbidden):
            let hidden =
                forbidden == 0 ? "" : "; \(forbidden) devices may not be opened by this user"
            return
                "\(word.quoted(upTo: .max)) is not attached (keywedge devices lists what is)\(hidden)"
        case .ambiguous(let word, let nodes):
            return "\(word.quoted(upTo: .max)) is more than one device; expected one of"
                + " \(nodes.joined(separator: ", "))"
        }
    }

}
