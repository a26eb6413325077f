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
