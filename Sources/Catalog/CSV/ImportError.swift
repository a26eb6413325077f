import WireText

/// Why a CSV file was not imported.
package struct ImportError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What messages call the file; the import adds it.
    var path = ""
    private let reason: Phrase

    /// Takes the reason as the rest of a sentence that begins with the file.
    init(_ reason: Phrase) { self.reason = reason }

    /// The error as one sentence.
    package var description: String { "\(path.quoted()) \(reason)" }

    static func notUTF8(likely: String) -> Self {
        Self(
            "is not UTF-8, but probably \(likely); expected --encoding \(likely), or the file saved as "
                + "UTF-8.")
    }
    static func repeatedColumn(_ name: String) -> Self {
        Self("has several columns \(quoted: name); expected each name once.")
    }
    static func noColumn(_ name: String, for purpose: String, in columns: [String]) -> Self {
        Self("has no column \(quoted: name) \(purpose); found \(list(columns)).")
    }

    /// Columns in words.
    static func list(_ columns: [String]) -> Phrase {
        columns.prefix(12).map { "\(quoted: $0)" as Phrase }.joined(separator: ", ")
            + (columns.count > 12 ? " and \(columns.count - 12) more" : "")
    }
}

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
        let code = "\(example) is \(meant.quoted())"
        return switch kind {
        case .spreadsheetCode:
            "\(codes) mended that a spreadsheet had made a number of, \(code)"
        case .lostZeros:
            "\(codes) given back the zeros ahead, \(code); --keep-codes leaves them out"
        case .invisible: "\(codes) freed of characters that cannot be seen, \(code)"
        case .heading: count.counted("heading") + " left out, \(example)"
        case .total: count.counted("row") + " with a total left out, \(example)"
        case .furtherRow:
            count.counted("row")
                + " left out that only \(count == 1 ? "adds" : "add") to the article above, \(first)"
        case .variablePrice:
            count.counted("article") + " without a price, as the till asks for it, \(first)"
        case .undatedSale:
            count.counted("sale price")
                + " without a time kept as an attribute, \(example); the usual price counts"
        }
    }
}
