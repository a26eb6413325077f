import Keystrokes
import Recordings
import ScannerInput

/// The scanners of a recording, each with its scan in progress.
///
/// Nodes of one scanner type into one scan, as in the daemon.
struct RecordedDevices {
    /// An outcome and its scanner.
    struct Played {
        var label: ScannerLabel
        var outcome: ScanAssembler.Outcome
    }

    /// Two nodes with the same name and hardware are one scanner.
    private struct Place: Hashable {
        var scanner: String
        var hardware: DeviceIdentity
    }

    private let section: (DeviceIdentity?) -> RecordingPlayer.Section
    private var scanners: [RecordingPlayer.Section]
    /// The scanner whose events are being fed, as an index of ``scanners``.
    private var current = 0
    private var nodes: [DeviceIdentity: Int] = [:]
    private var places: [Place: Int] = [:]
    /// When the scans of the others end, the earliest first; of two at once, the one that fell
    /// silent first.
    private var deadlines: [(time: Int64, scanner: Int)] = []
    /// Outcomes that have not been returned yet.
    private var waiting: ArraySlice<Played> = []

    /// Begins with the scanner of a recording that does not name its device.
    init(section: @escaping (DeviceIdentity?) -> RecordingPlayer.Section) {
        self.section = section
        scanners = [section(nil)]
    }

    /// The next outcome; nil before more events are fed.
    mutating func next() -> Played? { waiting.popFirst() }

    @inline(__always)
    mutating func feed(_ event: KeyEvent) {
        if let first = deadlines.first, first.time <= event.microseconds {
            advanceOthers(to: event.microseconds)
        }
        note(scanners[current].assembler.feed(event), of: current)
    }

    /// Ends the scans in progress, and begins the recording of another device.
    mutating func begin(_ identity: DeviceIdentity) {
        end { $0.finish() }
        scanners = []
        (nodes, places) = ([:], [:])
        current = scanner(of: identity)
    }

    /// Switches to another node of the same recording.
    mutating func turn(to node: DeviceIdentity) {
        let next = nodes[node] ?? scanner(of: node)
        guard next != current else { return }
        watch(current)
        deadlines.removeAll { $0.scanner == next }
        current = next
    }

    /// Ends each scan in progress with `close`.
    mutating func end(_ close: (inout ScanAssembler) -> ScanAssembler.Outcome) {
        watch(current)
        let ending = takeDeadlines(upTo: .max)
        let rest = Set(scanners.indices).subtracting(ending).sorted()
        for index in ending + rest {
            note(close(&scanners[index].assembler), of: index)
        }
    }

    /// The scanner that a new node is part of.
    private mutating func scanner(of node: DeviceIdentity) -> Int {
        let section = section(node)
        let place = node.hardware.map { Place(scanner: section.label.name, hardware: $0) }
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
            note(scanners[index].assembler.advance(to: now), of: index)
            watch(index)
        }
    }

    private mutating func watch(_ index: Int) {
        guard let time = scanners[index].assembler.deadlineMicroseconds else { return }
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
