import WireText

/// Texts on the command line in which characters are written with a backslash.
enum Backslashes {
    /// The text that is meant.
    ///
    /// - Parameter text: A text with escapes, or without.
    /// - Returns: The text without them.
    /// - Throws: ``BackslashError`` where a backslash begins no escape.
    static func meaning(of text: String) throws(BackslashError) -> String {
        guard let meaning = Escaping.unescaped(text) else { throw BackslashError(text: text) }
        return meaning
    }
}

/// A text with a backslash that begins no escape.
struct BackslashError: Error, CustomStringConvertible {
    /// The text as it was given.
    let text: String

    /// One sentence.
    var description: String {
        "cannot read \(text.quoted(upTo: .max)): expected a backslash to begin one of "
            + Escaping.forms
    }
}
