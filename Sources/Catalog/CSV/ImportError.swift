package import WireText

package struct ImportError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file's path, which begins the error message; `importCSV` sets it.
    var path = ""
    private let reason: Phrase

    /// Creates an error whose message is the file's path followed by `reason`.
    init(_ reason: Phrase) { self.reason = reason }

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

    static func list(_ columns: [String]) -> Phrase {
        columns.prefix(12).map { "\(quoted: $0)" as Phrase }.joined(separator: ", ")
            + (columns.count > 12 ? " and \(columns.count - 12) more" : "")
    }
}

/// A note about a value that an import changed, or about a row that the import left out.
package struct ImportNote: Hashable, Sendable {
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// A repaired code: one with a spreadsheet's marks or decimals (`4006381333931.0`), one that had lost leading
        /// zeros (`42100005264`), or one with invisible characters, such as a zero-width space.
        case spreadsheetCode, lostZeros, invisible
        /// A row that is left out: a heading, a total, or a detail of the article above.
        case heading, total, furtherRow
        /// A product whose price is entered at the till (`variable`), or a sale price without times, which becomes an
        /// attribute.
        case variablePrice, undatedSale
    }

    package let kind: Kind
    let written: String
    /// The repaired code; empty if the note is not about a repaired code.
    let meant: String

    package init(_ kind: Kind, _ written: String = "", meant: String = "") {
        (self.kind, self.written, self.meant) = (kind, written, meant)
    }

    /// Describes `count` notes of the same kind; this note is the first, and serves as an example.
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

package struct InvalidRow: Error, Equatable, Sendable, CustomStringConvertible {
    package var line: Int
    package var reason: Reason

    package var description: String { "Line \(line): \(reason)" }

    package struct Reason: Error, Equatable, Sendable, CustomStringConvertible {
        private let phrase: Phrase

        package init(_ phrase: Phrase) { self.phrase = phrase }

        package var description: String { phrase.description }
    }
}

extension InvalidRow.Reason {
    static func nulCharacter(column: String) -> Self {
        Self("The column \(quoted: column) contains a NUL character; expected text.")
    }
    static func price(_ error: PriceError) -> Self { Self("\(words: error.description)") }
    static func unreadable(_ what: String, _ found: String, expected: String) -> Self {
        Self("The \(what) \(quoted: found) cannot be read; expected \(words: expected).")
    }
    static func repeatedID(_ id: String) -> Self {
        Self("An earlier row has the id \(quoted: id), too; expected each id once.")
    }
    static func repeatedOffer(id: String, scope: String) -> Self {
        Self(
            "An earlier row has the id \(quoted: id) for the scope \(quoted: scope), too; "
                + "expected each id once for a scope.")
    }
    static func repeatedCode(_ code: String) -> Self {
        Self(
            "The code \(quoted: code) belongs to the product of an earlier row; expected each "
                + "first code once, or a column of ids.")
    }
    static func codeIsOtherID(_ code: String) -> Self {
        Self(
            "The code \(quoted: code) is the id of a product that does not have this code; "
                + "expected a column of ids.")
    }
    static func movedCode(_ code: String, id: String) -> Self {
        Self(
            "The code \(quoted: code) is one of the product \(quoted: id), which the file does "
                + "not name; expected the same id, or --moved-codes take.")
    }
}
