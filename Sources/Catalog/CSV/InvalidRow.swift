import WireText

/// A row of a CSV file that cannot be imported.
package struct InvalidRow: Error, Equatable, Sendable {
    /// The line the row starts on; the header is line 1.
    package var line: Int
    /// What is wrong with it.
    package var reason: Reason

    /// Names a row.
    package init(line: Int, reason: Reason) { (self.line, self.reason) = (line, reason) }

    /// What is wrong with a row.
    package struct Reason: Error, Equatable, Sendable {
        private let phrase: Phrase
        /// Whether it may be wrong with the whole file.
        private(set) var isOfEncoding = false

        /// Takes the reason as a sentence.
        init(_ phrase: Phrase) { self.phrase = phrase }
    }
}

extension InvalidRow: CustomStringConvertible {
    /// The row and what is wrong, as one sentence.
    package var description: String { "Line \(line): \(reason)" }
}

extension InvalidRow.Reason: CustomStringConvertible {
    /// What is wrong, as one sentence.
    package var description: String { phrase.description }
}

/// The reasons that rows are refused for; those of a single place stand there.
extension InvalidRow.Reason {
    static func notUTF8(column: String, byte: UInt8) -> Self {
        let hex = String(byte, radix: 16, uppercase: true)
        var reason = Self(
            "The column \(quoted: column) is not UTF-8 (byte 0x\(hex)); expected the file saved "
                + "as UTF-8.")
        reason.isOfEncoding = true
        return reason
    }
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
                + "expected each id once for a scope."
        )
    }
    static func repeatedCode(_ code: String) -> Self {
        Self(
            "The code \(quoted: code) belongs to the product of an earlier row; expected each "
                + "first code once, or a column of ids."
        )
    }
    static func codeIsOtherID(_ code: String) -> Self {
        Self(
            "The code \(quoted: code) is the id of a product that does not have this code; "
                + "expected a column of ids."
        )
    }
    static func movedCode(_ code: String, id: String) -> Self {
        Self(
            "The code \(quoted: code) is one of the product \(quoted: id), which the file does "
                + "not name; expected the same id, or --moved-codes take."
        )
    }
}
