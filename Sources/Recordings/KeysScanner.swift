internal import WireText

/// Reads the words of one line of the `.keys` format, from left to right.
struct KeysScanner {
    private var rest: Substring.UnicodeScalarView

    init(_ line: String) {
        rest = line[...].unicodeScalars
    }

    /// Whether nothing follows but a comment.
    var isAtEnd: Bool {
        mutating get {
            skipBlanks()
            return rest.isEmpty || rest.first == "#"
        }
    }

    /// What has not been read yet, for messages.
    var remainder: String { String(rest) }

    /// The next word, which ends at a blank; nil at the end of the line.
    mutating func word() -> String? {
        if isAtEnd { return nil }
        let word = rest.prefix { !Self.isBlank($0) }
        rest = rest[word.endIndex...]
        return String(word)
    }

    /// The name ahead of an equals sign; nil where there is none.
    mutating func label() -> String? {
        if isAtEnd { return nil }
        let name = rest.prefix { $0 != "=" && !Self.isBlank($0) }
        guard !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == "=" else {
            return nil
        }
        rest = rest[name.endIndex...].dropFirst()
        return String(name)
    }

    /// A text in double quotation marks, with its escapes resolved.
    ///
    /// Escapes are those that `Escaping` reads.
    mutating func quoted() throws(LineFault) -> String {
        skipBlanks()
        guard rest.first == "\"" else {
            throw LineFault(expected: "a text in double quotation marks", found: found)
        }
        rest.removeFirst()
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == "\"" { return try endQuoted(text) }
            text.append(scalar == "\\" ? try escape() : scalar)
        }
        throw LineFault(expected: "a closing quotation mark", found: "the end of the line")
    }

    private func endQuoted(_ text: String.UnicodeScalarView) throws(LineFault) -> String {
        if let next = rest.first, !Self.isBlank(next) {
            throw LineFault(expected: "a blank behind the closing quotation mark", found: found)
        }
        return String(text)
    }

    private mutating func escape() throws(LineFault) -> Unicode.Scalar {
        let start = rest
        if let scalar = Escaping.popEscaped(from: &rest) { return scalar }
        throw LineFault(
            expected: "one of the escapes \(Escaping.forms)",
            found: "\(quoted: "\\" + String(start))")
    }

    private var found: Phrase {
        rest.isEmpty ? "the end of the line" : "\(quoted: String(rest))"
    }

    private mutating func skipBlanks() {
        rest = rest.drop(while: Self.isBlank)
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t"
    }
}

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
