import Catalog
import WireText

/// Reports an import on standard error: the columns, the first invalid rows, the repairs and a progress bar.
struct ImportReport {
    let name: String
    private let quiet: QuietOption
    private var invalidCount = 0
    private var notes: [ImportNote.Kind: (note: ImportNote, line: Int, count: Int)] = [:]
    private var bar = ""

    /// The maximum number of invalid rows to report one by one; further ones are only counted.
    private static let mostRows = 20
    private static let barCells = 30

    init(name: String, quiet: QuietOption) {
        (self.name, self.quiet) = (name, quiet)
    }

    mutating func add(_ event: ImportEvent) {
        switch event {
        case .progress(let done, let total, let rows): draw(done, of: total, rows.counted("row"))
        case .columns(let lines):
            clear()
            for line in lines { quiet.say("\(name): \(line)") }
        case .invalid(let row):
            invalidCount += 1
            if invalidCount <= Self.mostRows { warn("\(name):\(row.line): \(row.reason)") }
        case .note(let note, let line):
            notes[note.kind, default: (note, line, 0)].count += 1
        }
    }

    /// Removes the progress bar, and reports how many invalid rows were only counted.
    mutating func finish() {
        clear()
        guard invalidCount > Self.mostRows else { return }
        let others = (invalidCount - Self.mostRows).counted("more invalid row")
        warn("\(name): and \(others)")
    }

    func sayNotes() {
        for kind in ImportNote.Kind.allCases {
            guard let (note, line, count) = notes[kind] else { continue }
            quiet.say("\(name): \(note.sentence(count: count, line: line))")
        }
    }

    private mutating func warn(_ line: String) {
        clear()
        StandardError.write(line)
    }

    private mutating func draw(_ done: Int, of total: Int?, _ note: String) {
        guard StandardError.isTerminal, !quiet.quiet else { return }
        var line = note
        if let total, total > 0 {
            let share = min(1, Double(done) / Double(total))
            let full = Int(share * Double(Self.barCells))
            let cells =
                String(repeating: "█", count: full)
                + String(repeating: "·", count: Self.barCells - full)
            line = "\(cells) \(Int(share * 100)) %  \(note)"
        }
        guard line != bar else { return }
        bar = line
        StandardError.raw("\r\u{1B}[K" + line)
    }

    private mutating func clear() {
        guard !bar.isEmpty else { return }
        bar = ""
        StandardError.raw("\r\u{1B}[K")
    }
}
