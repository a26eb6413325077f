/// What happens while a file is imported.
public enum ImportEvent: Equatable, Sendable {
    /// So much is done: bytes of the file, in all (nil where not known), and rows.
    case progress(bytes: Int, of: Int?, rows: Int)
    /// A row is invalid.
    case invalid(InvalidRow)
}
