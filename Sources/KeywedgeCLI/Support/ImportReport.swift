import Catalog
import WireText

/// A report on an import, which is written to standard error.
struct ImportReport {
    let name: String
    private let quiet: QuietOption
    private var invalidCount = 0
    private var notes: [ImportNote.Kind: (note: ImportNote, line: Int, count: Int)] = [:]
    /// The progress text that the terminal currently shows.
    private var progress = ""

    /// The number of invalid rows to report individually; further rows are only counted.
    private static let mostRows = 20

    init(name: String, quiet: QuietOption) {
        (self.name, self.quiet) = (name, quiet)
    }

    mutating func add(_ event: ImportEvent) {
        switch event {
        case .progress(let done, let total, let rows):
            let share = total.map { "\(min(100, 100 * done / max(1, $0))) %  " } ?? ""
            if StandardError.isTerminal, !quiet.quiet { draw(share + rows.counted("row")) }
        case .columns(let lines):
            clear()
            for line in lines { quiet.say("\(name): \(line)") }
        case .invalid(let row):
            invalidCount += 1
            guard invalidCount <= Self.mostRows else { return }
            clear()
            StandardError.write("\(name):\(row.line): \(row.reason)")
        case .note(let note, let line):
            notes[note.kind, default: (note, line, 0)].count += 1
        }
    }

    /// Removes the progress text, and reports how many invalid rows were not reported individually, if any.
    mutating func finish() {
        clear()
        guard invalidCount > Self.mostRows else { return }
        StandardError.write(
            "\(name): and \((invalidCount - Self.mostRows).counted("more invalid row"))")
    }

    func sayNotes() {
        for kind in ImportNote.Kind.allCases {
            guard let (note, line, count) = notes[kind] else { continue }
            quiet.say("\(name): \(note.sentence(count: count, line: line))")
        }
    }

    private mutating func clear() { draw("") }

    /// Replaces the progress text on the terminal.
    private mutating func draw(_ line: String) {
        guard line != progress else { return }
        progress = line
        StandardError.raw("\r\u{1B}[K" + line)
    }
}
