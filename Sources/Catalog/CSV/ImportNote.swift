import WireText

/// A value or row that an import changes or leaves out; notes are reported with a count for each kind.
package struct ImportNote: Hashable, Sendable {
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// A code that a spreadsheet turned into a number, that lost its leading zeros, or that has invisible
        /// characters.
        case spreadsheetCode, lostZeros, invisible
        /// A row that is left out: a heading, a total, or a picture or part of the article above.
        case heading, total, furtherRow
        /// A price that is entered at the till, and a sale price without a time.
        case variablePrice, undatedSale
    }

    package let kind: Kind
    /// The text in the file.
    let written: String
    /// The code that was meant; empty for other notes.
    let meant: String

    package init(_ kind: Kind, _ written: String = "", meant: String = "") {
        (self.kind, self.written, self.meant) = (kind, written, meant)
    }

    /// Reports the count of the kind, with this note, the first, as the example.
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
