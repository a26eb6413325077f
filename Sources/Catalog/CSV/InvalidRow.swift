import WireText

/// A row of a CSV file that cannot be imported.
package struct InvalidRow: Error, Equatable, Sendable, CustomStringConvertible {
    /// The line the row starts on; the header is line 1.
    package var line: Int
    /// What is wrong with it.
    package var reason: Reason

    /// Names a row.
    package init(line: Int, reason: Reason) { (self.line, self.reason) = (line, reason) }

    /// The row and what is wrong, as one sentence.
    package var description: String { "Line \(line): \(reason)" }

    /// What is wrong with a row, as one sentence.
    package struct Reason: Error, Equatable, Sendable, CustomStringConvertible {
        private let phrase: Phrase

        init(_ phrase: Phrase) { self.phrase = phrase }

        /// The sentence.
        package var description: String { phrase.description }
    }
}

/// The reasons that several places have, or another folder.
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
