extension StringProtocol {
    /// The text between quotation marks, as a sentence may show it: on one line, nothing unsafe, its
    /// own quotation marks and backslashes escaped, and not too long.
    ///
    /// It is the one way in which texts of others get into our sentences. What stands between the
    /// quotation marks can be typed back where escapes are read.
    ///
    /// - Parameter limit: After how many characters (Unicode scalars) it is cut; `…` says so.
    /// - Returns: The text with its quotation marks.
    package func quoted(upTo limit: Int = 80) -> String {
        let head = unicodeScalars.prefix(limit)
        var output = [UInt8(ascii: "\"")]
        Escaping.quoted.append(String(String.UnicodeScalarView(head)), to: &output)
        if head.endIndex < unicodeScalars.endIndex { output.append("…") }
        output.append(UInt8(ascii: "\""))
        return String(decoding: output, as: UTF8.self)
    }
}
