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

/// The colours of the format `pretty`, as terminal sequences (ECMA-48, SGR), or none.
///
/// Only the sixteen colours that the terminal's own theme sets.
struct Palette: Equatable, Sendable {
    /// What a piece of a line means.
    enum Role: Sendable {
        /// Beside the point.
        case quiet
        /// Where it happened.
        case place
        /// What to see first.
        case strong
        /// All is well.
        case good
        /// To look at.
        case doubtful
        /// No scan, or no answer.
        case bad
        /// As the terminal has it.
        case plain
    }

    private let isColoured: Bool

    /// No sequences at all.
    static let plain = Palette(isColoured: false)

    /// The terminal's colours.
    static let terminal = Palette(isColoured: true)

    /// The sequence that begins a role; empty where there is none.
    func start(of role: Role) -> StaticString {
        guard isColoured else { return "" }
        return switch role {
        case .quiet: "\u{1b}[2m"
        case .place: "\u{1b}[36m"
        case .strong: "\u{1b}[1m"
        case .good: "\u{1b}[32m"
        case .doubtful: "\u{1b}[33m"
        case .bad: "\u{1b}[31m"
        case .plain: ""
        }
    }

    /// The sequence that ends a role.
    func end(of role: Role) -> StaticString {
        isColoured && role != .plain ? "\u{1b}[0m" : ""
    }
}
