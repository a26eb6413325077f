import Keystrokes
import Recordings
import ScannerInput

/// The scanners in a recording, each with its scan in progress.
///
/// All nodes of a scanner contribute to the same scan, as in the daemon.
struct RecordedDevices {
    struct Played {
        var label: ScannerLabel
        var outcome: ScanAssembler.Outcome
    }

    private struct Node: Hashable {
        var identity: DeviceIdentity?
        var interface: ScannerInterface?
    }

    /// A scanner's identity: the name, interface and hardware that all its nodes share.
    private struct Place: Hashable {
        var scanner: String
        var interface: ScannerInterface.Kind
        var hardware: DeviceIdentity
    }

    private let section: (DeviceIdentity?, ScannerInterface?) -> RecordingPlayer.Section
    private var scanners: [RecordingPlayer.Section]
    /// The index in ``scanners`` of the scanner that receives the next event.
    private var current = 0
    private var nodes: [Node: Int] = [:]
    private var places: [Place: Int] = [:]
    /// The deadlines of the scans in progress on all scanners except the current one, earliest first.
    private var deadlines: [(time: Int64, scanner: Int)] = []
    private var waiting: ArraySlice<Played> = []

    /// Creates a collection with one scanner, for events before the recording's first device.
    init(section: @escaping (DeviceIdentity?, ScannerInterface?) -> RecordingPlayer.Section) {
        self.section = section
        scanners = [section(nil, nil)]
    }

    /// Removes and returns the next outcome; nil if more events must be fed first.
    mutating func next() -> Played? { waiting.popFirst() }

    @inline(__always)
    mutating func feed(_ event: DeviceEvent) {
        if let first = deadlines.first, first.time <= event.microseconds {
            advanceOthers(to: event.microseconds)
        }
        let label = scanners[current].label
        scanners[current].assembler.feed(event) { outcome in
            if case .nothing = outcome { return }
            waiting.append(Played(label: label, outcome: outcome))
        }
    }

    /// Ends the scans in progress, forgets all scanners, and continues with another device.
    mutating func begin(_ identity: DeviceIdentity) {
        end { $0.finish() }
        scanners = []
        (nodes, places) = ([:], [:])
        current = scanner(of: Node(identity: identity))
    }

    /// Switches to the device node that the recording's next events come from.
    mutating func turn(to identity: DeviceIdentity?, _ interface: ScannerInterface? = nil) {
        let node = Node(identity: identity, interface: interface)
        let next = nodes[node] ?? scanner(of: node)
        guard next != current else { return }
        watch(current)
        deadlines.removeAll { $0.scanner == next }
        current = next
    }

    mutating func end(_ close: (inout ScanAssembler) -> ScanAssembler.Outcome) {
        watch(current)
        let ending = takeDeadlines(upTo: .max)
        let rest = Set(scanners.indices).subtracting(ending).sorted()
        for index in ending + rest {
            note(close(&scanners[index].assembler.scans), of: index)
        }
    }

    /// Returns the index of the scanner that a new node belongs to; adds the scanner if it is new.
    private mutating func scanner(of node: Node) -> Int {
        let section = section(node.identity, node.interface)
        let place = node.identity?.hardware.map {
            Place(
                scanner: section.label.name, interface: section.label.interface, hardware: $0)
        }
        if let index = place.flatMap({ places[$0] }) {
            nodes[node] = index
            return index
        }
        scanners.append(section)
        let index = scanners.count - 1
        nodes[node] = index
        if let place { places[place] = index }
        return index
    }

    private mutating func advanceOthers(to now: Int64) {
        for index in takeDeadlines(upTo: now) {
            note(scanners[index].assembler.scans.advance(to: now), of: index)
            watch(index)
        }
    }

    private mutating func watch(_ index: Int) {
        guard let time = scanners[index].assembler.scans.deadlineMicroseconds else { return }
        let place = deadlines.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
        deadlines.insert((time, index), at: place)
    }

    private mutating func takeDeadlines(upTo now: Int64) -> [Int] {
        let due = deadlines.prefix { $0.time <= now }.map(\.scanner)
        deadlines.removeFirst(due.count)
        return due
    }

    @inline(__always)
    private mutating func note(_ outcome: ScanAssembler.Outcome, of index: Int) {
        if case .nothing = outcome { return }
        waiting.append(Played(label: scanners[index].label, outcome: outcome))
    }
}
