import Events
import Keystrokes
package import KeywedgeConfiguration
package import ScannerInput
import WireText

/// The scanner named on the command line: its settings and its device nodes.
package struct ScannerChoice: Equatable, Sendable {
    package var scanner: ScannerConfiguration
    /// The scanner's device nodes, ordered by number; never empty.
    package var nodes: [String]
    /// The other processes that have the nodes open.
    ///
    /// If one of them has claimed the device with `EVIOCGRAB`, only that process receives the keys.
    package var holders: [NodeHolder]

    package init(scanner: ScannerConfiguration, nodes: [String], holders: [NodeHolder] = []) {
        self.scanner = scanner
        self.nodes = nodes
        self.holders = holders
    }

    /// Finds a scanner by its name, by the path of a device node (not of a link), or by a `vendor:product` pair such
    /// as `0c2e:0b61`.
    ///
    /// A device that matches no scanner gets the first settings that exist: those of the scanner without `match`, those
    /// of the only scanner, or the defaults. The verdicts in `devices` must be based on `configuration`.
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

    /// Returns the devices that `word` names, either by a `vendor:product` pair or by a scanner's name.
    ///
    /// A configured scanner without `match` stands for all attached scanners that have no configured name.
    private static func devices(
        _ word: String, in configuration: Configuration, among open: [SurveyedDevice]
    ) throws(ScannerChoiceError) -> [SurveyedDevice] {
        let numbers = word.split(separator: ":", omittingEmptySubsequences: false)
            .map { $0.utf8.count == 4 && $0.allSatisfy(\.isHexDigit) ? UInt16($0, radix: 16) : nil }
        if numbers.count == 2, let vendor = numbers[0], let product = numbers[1] {
            return open.filter { device in
                let identity = try? device.facts.get().identity
                return identity?.vendor == vendor && identity?.product == product
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
    fileprivate func scanner(for verdict: SelectionVerdict?) -> ScannerConfiguration {
        let known: String? =
            if case .taken(.configured(let name)) = verdict { name } else { nil }
        return scanners.first { $0.name == known }
            ?? (scanners.count == 1 ? scanners[0] : automaticScanner)
    }
}

extension ScannerChoice {
    /// A warning that other processes have the device open; nil if none has.
    package var warning: String? {
        guard !holders.isEmpty else { return nil }
        return "\(nodes.joined(separator: ", ")) is open in \(holders.inWords) too; where that has"
            + " grabbed it, no key comes here"
    }
}

extension [NodeHolder] {
    /// The processes as text, such as `evtest (process 812), Xorg (process 490)`.
    var inWords: String {
        map { "\(Escaping.line.escaped($0.command)) (process \($0.process))" }
            .joined(separator: ", ")
    }
}

package enum ScannerChoiceError: Error, Equatable, Sendable {
    /// No configured or attached scanner has this name; `known` contains the configured names.
    case unknown(String, known: [String])
    /// No accessible device has this name or ID; `forbidden` lists the inaccessible nodes.
    case notAttached(String, forbidden: [ForbiddenNode])
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
