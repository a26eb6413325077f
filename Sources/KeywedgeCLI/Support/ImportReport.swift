import Catalog
import WireText

/// Says on standard error what an import meets: the columns, the first invalid rows, and what it mended.
struct ImportReport {
    /// What messages call the file.
    let name: String
    private var invalidCount = 0
    private var notes: [ImportNote.Kind: (note: ImportNote, line: Int, count: Int)] = [:]
    private var progress = ProgressBar(isShown: StandardError.isTerminal)

    /// Invalid rows that are named; the others are counted.
    private static let mostRows = 20

    init(name: String) { self.name = name }

    /// Says or counts what happens.
    mutating func add(_ event: ImportEvent) {
        switch event {
        case .progress(let done, let total, let rows):
            progress.show(done: done, of: total, note: rows.counted("row"))
        case .columns(let lines):
            for line in lines { say("keywedge: \(name): \(line)") }
        case .invalid(let row):
            invalidCount += 1
            if invalidCount <= Self.mostRows { say("\(name):\(row.line): \(row.reason)") }
        case .note(let note, let line):
            notes[note.kind, default: (note, line, 0)].count += 1
        }
    }

    /// Removes the progress bar, and counts the invalid rows that were not named.
    mutating func finish() {
        progress.clear()
        guard invalidCount > Self.mostRows else { return }
        let others = (invalidCount - Self.mostRows).counted("more invalid row")
        say("keywedge: \(name): and \(others)")
    }

    /// Says what was mended and left out.
    mutating func sayNotes() {
        for kind in ImportNote.Kind.allCases {
            guard let (note, line, count) = notes[kind] else { continue }
            say("keywedge: \(name): \(note.sentence(count: count, line: line))")
        }
    }

    private mutating func say(_ line: String) {
        progress.clear()
        StandardError.write(line)
    }
}
