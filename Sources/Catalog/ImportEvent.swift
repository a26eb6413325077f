/// What happens while a file is imported.
package enum ImportEvent: Equatable, Sendable {
    /// So much is done: bytes of the file, in all (nil where not known), and rows.
    case progress(bytes: Int, of: Int?, rows: Int)
    /// A row is invalid.
    case invalid(InvalidRow)
    /// A code that a spreadsheet had damaged was taken as it was meant; the line its row starts on.
    case mended(MendedCode, line: Int)
}

/// A code that a spreadsheet had damaged.
package struct MendedCode: Hashable, Sendable {
    /// The code as the file has it.
    package var written: String
    /// The code that was meant.
    package var meant: String

    /// Makes one.
    ///
    /// - Parameters:
    ///   - written: The code as the file has it.
    ///   - meant: The code that was meant.
    package init(written: String, meant: String) {
        self.written = written
        self.meant = meant
    }
}
