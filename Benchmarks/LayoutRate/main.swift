import Glibc
import KeyLayouts
import KeyStreams
import Keystrokes

// Prints the cost of an input event for every layout of the XKB registry that types digits. The events of an EAN-13
// with Enter, as a USB keyboard sends them, pass through the table and the assembler. Exits with 1 if an event costs
// more than 50 ns on one of the layouts; a scanner sends 500 keys a second.

let target = 50.0

/// A scanner with one layout, and the measured cost of its events.
struct Candidate {
    let layout: KeyLayout
    let settings: ScanSettings
    let stream: KeyStream
    /// The cost of an event in each sample, in nanoseconds.
    var samples: [Double] = []

    var best: Double { samples.min() ?? .infinity }
    var median: Double { samples.sorted()[samples.count / 2] }

    /// Measures a sample that is short enough for one turn of the scheduler.
    mutating func measure() {
        let rounds = stream.rounds(for: 10_000, .events)
        var assembler = ScanAssembler(settings: settings)
        let start = ContinuousClock.now
        let scans = stream.feed(rounds, to: &assembler)
        let time = start.duration(to: .now).components
        guard scans == rounds else { exit(2) }
        samples.append(Double(time.attoseconds) / 1e9 / Double(rounds * stream.count))
    }
}

func rounded(_ nanoseconds: Double) -> String {
    let tenths = Int((nanoseconds * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) ns"
}

let layouts = try KeyLayoutRegistry.installed().entries.map(\.layout)
let compiler = try KeyLayoutCompiler()
var candidates: [Candidate] = []
for layout in layouts {
    let settings = ScanSettings(table: try compiler.compile(layout).table)
    guard let stream = try? KeyStream("4006381333931", settings: settings, content: .all) else {
        continue
    }
    candidates.append(Candidate(layout: layout, settings: settings, stream: stream))
}
// Layouts take turns, so that the other work of the machine affects all of them.
for _ in 0..<50 {
    for index in candidates.indices { candidates[index].measure() }
}

candidates.sort { $0.best > $1.best }
print("\(candidates.count) of \(layouts.count) layouts type digits; the slowest, best and median:")
for candidate in candidates.prefix(5) {
    print("  \(candidate.layout): \(rounded(candidate.best)), \(rounded(candidate.median))")
}
let bests = candidates.map(\.best)
let medians = candidates.map(\.median)
print("best: \(rounded(bests.min() ?? 0)) to \(rounded(bests.max() ?? 0))")
print("median: \(rounded(medians.min() ?? 0)) to \(rounded(medians.max() ?? 0))")
exit(bests.contains { $0 > target } ? 1 : 0)
