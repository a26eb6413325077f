extension ElementStringReader {
    /// Reads the form that people read: identifiers in brackets, values in between.
    ///
    /// A bracket that does not enclose two to four digits belongs to the value, as does one with a
    /// backslash ahead of it.
    mutating func readBracketed(_ bytes: Span<UInt8>) {
        var at = 0
        while let digits = Self.bracketedDigits(bytes, at: at) {
            let start = digits.upperBound + 1
            var end = start
            while end < bytes.count, !Self.startsElement(bytes, at: end, from: start) { end += 1 }
            take(bytes, digits, start..<end)
            at = end
        }
        checkTogether()
    }

    private mutating func take(_ bytes: Span<UInt8>, _ digits: Range<Int>, _ range: Range<Int>) {
        guard let ai = ApplicationIdentifier.lookup(in: bytes, at: digits.lowerBound),
            Int(ai.length) == digits.count
        else {
            problems.append(.unknownAI(bytes.string(digits), at: digits.lowerBound))
            return
        }
        if range.contains(where: { Self.isEscape(bytes, at: $0) }) {
            let kept = range.filter { !Self.isEscape(bytes, at: $0) }.map { bytes[$0] }
            append(ai, decoded: kept, source: range)
        } else {
            append(ai, bytes, range)
        }
    }

    /// The two to four digits in the brackets at an offset.
    static func bracketedDigits(_ bytes: Span<UInt8>, at start: Int) -> Range<Int>? {
        guard start < bytes.count, bytes[start] == UInt8(ascii: "(") else { return nil }
        var end = start + 1
        while end < bytes.count, end < start + 6, bytes[end].isDigit { end += 1 }
        let digits = start + 1..<end
        guard (2...4).contains(digits.count), end < bytes.count,
            bytes[end] == UInt8(ascii: ")")
        else { return nil }
        return digits
    }

    private static func startsElement(_ bytes: Span<UInt8>, at: Int, from start: Int) -> Bool {
        bracketedDigits(bytes, at: at) != nil && !(at > start && isEscape(bytes, at: at - 1))
    }

    /// Whether the byte is a backslash that takes a bracket's meaning away.
    private static func isEscape(_ bytes: Span<UInt8>, at: Int) -> Bool {
        bytes[at] == UInt8(ascii: "\\") && at + 1 < bytes.count
            && bytes[at + 1] == UInt8(ascii: "(")
    }
}
