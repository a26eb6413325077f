import WireText

/// Texts of others in our sentences.
enum Quoted {
    /// A text between quotation marks: one line, nothing unsafe, not too long.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - limit: After how many characters it is cut.
    /// - Returns: The text with its quotation marks.
    static func text(_ text: String, limit: Int = 120) -> String {
        let head = String(text.unicodeScalars.prefix(limit))
        let isCut = head.utf8.count < text.utf8.count
        return "\"" + Escaping.json.escaped(head) + (isCut ? "…\"" : "\"")
    }
}
