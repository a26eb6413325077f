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
    /// Escapes are `\n \r \t \\ \" \0`, `\xHH`, `\uHHHH` and `\u{H…}`.
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
        switch rest.popFirst() {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "0": return "\0"
        case "\\": return "\\"
        case "\"": return "\""
        case "x": if let scalar = number(digits: 2) { return scalar }
        case "u":
            if rest.first == "{" {
                if let scalar = bracedNumber() { return scalar }
            } else if let scalar = number(digits: 4) {
                return scalar
            }
        default: break
        }
        throw LineFault(
            expected: #"one of the escapes \n \r \t \0 \\ \" \x1d \u001d \u{1d}"#,
            found: Excerpt.quoted("\\" + String(start)))
    }

    private mutating func number(digits count: Int) -> Unicode.Scalar? {
        let digits = rest.prefix(count)
        guard digits.count == count else { return nil }
        rest = rest.dropFirst(count)
        return Self.scalar(digits)
    }

    private mutating func bracedNumber() -> Unicode.Scalar? {
        let digits = rest.dropFirst().prefix { $0 != "}" }
        guard digits.endIndex < rest.endIndex else { return nil }
        rest = rest[digits.endIndex...].dropFirst()
        return Self.scalar(digits)
    }

    private static func scalar(_ digits: Substring.UnicodeScalarView) -> Unicode.Scalar? {
        guard !digits.isEmpty, digits.allSatisfy(\.properties.isASCIIHexDigit) else { return nil }
        return UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init)
    }

    private var found: String {
        rest.isEmpty ? "the end of the line" : Excerpt.quoted(String(rest))
    }

    private mutating func skipBlanks() {
        rest = rest.drop(while: Self.isBlank)
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t"
    }
}
