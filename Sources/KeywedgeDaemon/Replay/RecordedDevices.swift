import EvdevInput
import Keystrokes
import Recordings

/// The scanners of a recording, each with the keys it is in the midst of.
///
/// Nodes of one scanner type into one scan, as for the daemon. An event costs the same however many
/// scanners there are, unless it is the time at which others' scans end.
struct RecordedDevices {
    /// What came out, from which scanner.
    struct Played {
        var label: ScannerLabel
        var outcome: ScanAssembler.Outcome
    }

    /// What makes two nodes one scanner: its name, and the hardware they are part of.
    private struct Place: Hashable {
        var scanner: String
        var hardware: DeviceIdentity
    }

    private let section: (DeviceIdentity?) -> RecordingPlayer.Section
    private var scanners: [RecordingPlayer.Section]
    /// The one whose events come, by its place in ``scanners``.
    private var current = 0
    private var nodes: [DeviceIdentity: Int] = [:]
    private var places: [Place: Int] = [:]
    /// When the scans of the others end.
    private var deadlines = ScanDeadlines()
    /// What came out and has not been asked for.
    private var waiting: ArraySlice<Played> = []

    /// Begins with the scanner of a recording that says nothing of its device.
    init(section: @escaping (DeviceIdentity?) -> RecordingPlayer.Section) {
        self.section = section
        scanners = [section(nil)]
    }

    /// What came out first of what has not been asked for.
    mutating func next() -> Played? { waiting.popFirst() }

    @inline(__always)
    mutating func feed(_ event: KeyEvent) {
        if deadlines.first <= event.microseconds { advanceOthers(to: event.microseconds) }
        note(scanners[current].assembler.feed(event), of: current)
    }

    /// Another device's recording begins, and the one before it is over.
    mutating func begin(_ identity: DeviceIdentity) {
        end { $0.finish() }
        scanners = []
        (nodes, places) = ([:], [:])
        current = scanner(of: identity)
    }

    /// The events that follow are another node's, at the same time as those before.
    mutating func turn(to node: DeviceIdentity) {
        let next = nodes[node] ?? scanner(of: node)
        guard next != current else { return }
        watch(current)
        if let deadline = scanners[next].assembler.deadlineMicroseconds {
            deadlines.remove(next, at: deadline)
        }
        current = next
    }

    /// No event follows.
    ///
    /// - Parameter close: Ends what an assembler is in the midst of.
    mutating func end(_ close: (inout ScanAssembler) -> ScanAssembler.Outcome) {
        watch(current)
        let ending = deadlines.take(upTo: .max)
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
        for index in deadlines.take(upTo: now) {
            note(scanners[index].assembler.advance(to: now), of: index)
            watch(index)
        }
    }

    private mutating func watch(_ index: Int) {
        guard let deadline = scanners[index].assembler.deadlineMicroseconds else { return }
        deadlines.insert(index, at: deadline)
    }

    @inline(__always)
    private mutating func note(_ outcome: ScanAssembler.Outcome, of index: Int) {
        if case .nothing = outcome { return }
        waiting.append(Played(label: scanners[index].label, outcome: outcome))
    }
}

/// When scans end that are in progress, in order; of two that end at once, the one told first.
struct ScanDeadlines {
    private var entries: [(time: Int64, scanner: Int)] = []

    /// The earliest, in microseconds; the latest possible time where there is none.
    private(set) var first = Int64.max

    /// Takes one in.
    mutating func insert(_ scanner: Int, at time: Int64) {
        entries.insert((time, scanner), at: firstIndex { $0 > time })
        first = entries.first?.time ?? .max
    }

    /// Takes one out.
    mutating func remove(_ scanner: Int, at time: Int64) {
        let same = entries[firstIndex { $0 >= time }...]
        guard let index = same.firstIndex(where: { $0.scanner == scanner }) else { return }
        entries.remove(at: index)
        first = entries.first?.time ?? .max
    }

    /// Takes out those whose time has come.
    ///
    /// - Parameter now: The time now, in microseconds.
    /// - Returns: Their scanners, in order.
    mutating func take(upTo now: Int64) -> [Int] {
        let count = now == .max ? entries.count : firstIndex { $0 > now }
        let taken = entries.prefix(count).map(\.scanner)
        entries.removeFirst(count)
        first = entries.first?.time ?? .max
        return taken
    }

    /// The place of the first entry for which `isBehind` holds, as it does for all behind it.
    private func firstIndex(where isBehind: (Int64) -> Bool) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(entries[middle].time) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
