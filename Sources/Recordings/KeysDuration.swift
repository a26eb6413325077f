internal import WireText

/// A length of time as the `.keys` format writes it: `150ms`.
enum KeysDuration {
    /// The longest time taken, a day.
    static let longest: Int64 = 86_400 * 1_000_000

    /// Reads a whole number with its unit.
    ///
    /// - Parameter text: Digits, then `us`, `ms` or `s`.
    /// - Returns: Microseconds.
    /// - Throws: A fault for anything else, and for more than a day.
    static func microseconds(_ text: String?) throws(LineFault) -> Int64 {
        let text = text ?? ""
        let digits = text.prefix { "0"..."9" ~= $0 }
        guard let scale = units[String(text[digits.endIndex...])], digits.count <= 12,
            let number = Int64(digits), number <= longest / scale
        else {
            throw LineFault(
                expected: "a time of at most a day as 150ms, 2s or 500us",
                found: text.isEmpty ? "the end of the line" : "\(quoted: text)")
        }
        return number * scale
    }

    private static let units: [String: Int64] = ["us": 1, "ms": 1000, "s": 1_000_000]
}
