/// A progress bar on standard error, drawn over itself.
struct ProgressBar {
    private let isShown: Bool
    private var last = ""
    private static let cells = 30

    /// Makes a bar.
    ///
    /// - Parameter isShown: False where nobody looks: nothing is written then.
    init(isShown: Bool) {
        self.isShown = isShown
    }

    /// Draws the bar where it differs from the one drawn last.
    ///
    /// - Parameters:
    ///   - done: How much is done.
    ///   - total: Of how much; nil where that is not known.
    ///   - note: What stands behind the bar.
    mutating func show(done: Int, of total: Int?, note: String) {
        guard isShown else { return }
        var line = note
        if let total, total > 0 {
            let share = min(1, Double(done) / Double(total))
            let full = Int(share * Double(Self.cells))
            let bar =
                String(repeating: "█", count: full)
                + String(repeating: "·", count: Self.cells - full)
            line = "\(bar) \(Int(share * 100)) %  \(note)"
        }
        guard line != last else { return }
        last = line
        StandardError.raw("\r\u{1B}[K" + line)
    }

    /// Takes the bar off the terminal.
    mutating func clear() {
        guard !last.isEmpty else { return }
        last = ""
        StandardError.raw("\r\u{1B}[K")
    }
}
