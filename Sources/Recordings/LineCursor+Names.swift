internal import Keystrokes

extension LineCursor {
    /// The name of an `EV_SYN` event, as the kernel has it.
    ///
    /// - Returns: The event's code; nil for another name.
    mutating func synName() -> UInt16? {
        if skip("SYN_REPORT") { return SynCode.report }
        if skip("SYN_DROPPED") { return SynCode.dropped }
        if skip("SYN_CONFIG") { return 1 }
        return skip("SYN_MT_REPORT") ? 2 : nil
    }

    /// Passes over the strokes around such a name.
    ///
    /// Their number differs between releases, and so does their shape: `-` for most, `+` for
    /// `SYN_MT_REPORT`, `>` and `<` or `!` for `SYN_DROPPED`.
    ///
    /// - Returns: Whether there were any.
    mutating func skipStrokes() -> Bool {
        let first = index
        while let byte, "-+<>!".utf8.contains(byte) { skipByte() }
        return index > first
    }

    /// The text between the first quotation mark and the last one of the line.
    ///
    /// Devices' names are printed as they are, with no escaping.
    ///
    /// - Returns: The text; nil where there are no marks or nothing between them.
    mutating func nameInMarks() -> String? {
        guard skip(through: "\"") else { return nil }
        let text = String(decoding: rest, as: UTF8.self)
        let name = text.lastIndex(of: "\"").map { String(text[..<$0]) } ?? text
        return name.isEmpty ? nil : name
    }

    /// Whether the cursor stands before a letter or a digit.
    var isInWord: Bool {
        guard let byte else { return false }
        switch byte | 0x20 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return true
        default: return false
        }
    }
}
