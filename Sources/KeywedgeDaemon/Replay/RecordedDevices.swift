import EvdevInput
import Keystrokes
import Recordings

/// The scanners of a recording, each with the keys it is in the midst of.
///
/// Nodes of one scanner type into one scan, as for the daemon.
struct RecordedDevices {
    /// What came out, from which scanner.
    struct Played {
        var label: ScannerLabel
        var outcome: ScanAssembler.Outcome
    }

    private struct Scanner {
        /// The nodes known to be its own.
        var nodes: [DeviceIdentity]
        let label: ScannerLabel
        var assembler: ScanAssembler

        /// Whether another node belongs to the same scanner.
        func isOne(with node: DeviceIdentity, _ label: ScannerLabel) -> Bool {
            label.name == self.label.name && nodes.contains { $0.isSameHardware(as: node) }
        }
    }

    private let section: (DeviceIdentity?) -> RecordingPlayer.Section
    /// The one whose events come.
    private var current: Scanner
    /// Those whose scans have not ended.
    private var others: [Scanner] = []
    /// What came out and has not been asked for.
    private var waiting: ArraySlice<Played> = []

    /// Begins with the scanner of a recording that says nothing of its device.
    init(section: @escaping (DeviceIdentity?) -> RecordingPlayer.Section) {
        self.section = section
        current = Self.scanner(of: nil, section(nil))
    }

    /// What came out first of what has not been asked for.
    mutating func next() -> Played? { waiting.popFirst() }

    @inline(__always)
    mutating func feed(_ event: KeyEvent) {
        if !others.isEmpty { advanceOthers(to: event.microseconds) }
        let outcome = current.assembler.feed(event)
        if case .nothing = outcome { return }
        waiting.append(Played(label: current.label, outcome: outcome))
    }

    /// Another device's recording begins, and the one before it is over.
    mutating func begin(_ identity: DeviceIdentity) {
        end { $0.finish() }
        current = Self.scanner(of: identity, section(identity))
    }

    /// The events that follow are another node's, at the same time as those before.
    mutating func turn(to node: DeviceIdentity) {
        guard !current.nodes.contains(node) else { return }
        others.append(current)
        if let index = others.firstIndex(where: { $0.nodes.contains(node) }) {
            current = others.remove(at: index)
            return
        }
        let section = section(node)
        if let index = others.firstIndex(where: { $0.isOne(with: node, section.label) }) {
            current = others.remove(at: index)
            current.nodes.append(node)
        } else {
            current = Self.scanner(of: node, section)
        }
    }

    /// No event follows.
    ///
    /// - Parameter close: Ends what an assembler is in the midst of.
    mutating func end(_ close: (inout ScanAssembler) -> ScanAssembler.Outcome) {
        others.append(current)
        update(close)
        others = []
    }

    private mutating func advanceOthers(to now: Int64) {
        let isDue = others.contains { ($0.assembler.deadlineMicroseconds ?? .max) <= now }
        if isDue { update { $0.advance(to: now) } }
    }

    /// Asks all but the current one, in the order in which their scans would end.
    private mutating func update(_ ask: (inout ScanAssembler) -> ScanAssembler.Outcome) {
        others.sort {
            ($0.assembler.deadlineMicroseconds ?? .max)
                < ($1.assembler.deadlineMicroseconds ?? .max)
        }
        for index in others.indices {
            let outcome = ask(&others[index].assembler)
            if case .nothing = outcome { continue }
            waiting.append(Played(label: others[index].label, outcome: outcome))
        }
    }

    private static func scanner(
        of node: DeviceIdentity?, _ section: RecordingPlayer.Section
    ) -> Scanner {
        Scanner(
            nodes: node.map { [$0] } ?? [], label: section.label,
            assembler: ScanAssembler(settings: section.settings))
    }
}
