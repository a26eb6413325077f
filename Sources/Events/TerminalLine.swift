import WireText

/// A line of a terminal under construction: coloured cells and the gaps between them.
///
/// Gaps are written only when something follows, so that no line ends in spaces.
struct TerminalLine {
    private let palette: Palette
    private(set) var bytes: [UInt8] = []
    /// Columns so far, gaps included.
    private(set) var width = 0
    private var pending = 0

    init(palette: Palette) {
        self.palette = palette
    }

    /// Leaves columns empty.
    mutating func gap(_ columns: Int) {
        pending += columns
        width += columns
    }

    /// Adds a text, cut where it takes more columns than there are.
    mutating func add(_ text: String, _ role: Palette.Role, limit: Int, pad: Bool = false) {
        let cell = Cell(text, limit: limit)
        add(cell, role)
        if pad { gap(limit - cell.width) }
    }

    /// Adds a cell.
    mutating func add(_ cell: Cell, _ role: Palette.Role) {
        guard !cell.bytes.isEmpty else { return }
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: pending))
        pending = 0
        bytes.append(palette.start(of: role))
        bytes.append(contentsOf: cell.bytes)
        bytes.append(palette.end(of: role))
        width += cell.width
    }
}
