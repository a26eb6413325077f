import WireText

/// Something that an import takes otherwise than the file has it; told, and counted by kind.
package struct ImportNote: Hashable, Sendable {
    /// What counts together.
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// A code that a spreadsheet had made a number of, one without its zeros, one with characters that
        /// cannot be seen.
        case spreadsheetCode, lostZeros, invisible
        /// A row that is left out: a heading, a total, a picture or a part of the article ahead of it.
        case heading, total, furtherRow
        /// A price that is entered at the till, and a sale price without a time.
        case variablePrice, undatedSale
    }

    /// What it counts as.
    package let kind: Kind
    /// What the file has.
    let written: String
    /// The code that was meant; empty for other notes.
    let meant: String

    /// Makes a note.
    package init(_ kind: Kind, _ written: String = "", meant: String = "") {
        (self.kind, self.written, self.meant) = (kind, written, meant)
    }

    /// How many of the kind there were, and this one, the first, as an example.
    package func sentence(count: Int, line: Int) -> String {
        let first = count == 1 ? "in line \(line)" : "the first in line \(line)"
        let example = "\(first): \(written.quoted())"
        let codes = count.counted("code")
        switch kind {
        case .spreadsheetCode:
            return "\(codes) mended that a spreadsheet had made a number of, \(example) is "
                + meant.quoted()
        case .lostZeros:
            return
                "\(codes) given back the zeros ahead, \(example) is \(meant.quoted()); --keep-codes "
                + "leaves them out"
        case .invisible:
            return
                "\(codes) freed of characters that cannot be seen, \(example) is \(meant.quoted())"
        case .heading: return count.counted("heading") + " left out, \(example)"
        case .total: return count.counted("row") + " with a total left out, \(example)"
        case .furtherRow:
            return count.counted("row")
                + " left out that only \(count == 1 ? "adds" : "add") to the "
                + "article above, \(first)"
        case .variablePrice:
            return count.counted("article") + " without a price, as the till asks for it, \(first)"
        case .undatedSale:
            return count.counted("sale price")
                + " without a time kept as an attribute, \(example); "
                + "the usual price counts"
        }
    }
}
