/// Characters that stand in for others in a text while libyaml reads it.
///
/// An asterisk that is none cannot start an alias, so no document can grow while it is read; a key
/// whose first letter is another is not a duplicate, so the rest of the file can be read too. Each
/// stand-in is one private-use character for one character: every line and column stays.
struct YAMLPlaceholders {
    /// The text with the stand-ins in it.
    private(set) var scalars: [Unicode.Scalar]
    private var originals: [Unicode.Scalar: Unicode.Scalar] = [:]
    private var candidates: [Unicode.Scalar]

    /// Replaces every asterisk.
    ///
    /// It is nil where the text uses all the characters that could stand in.
    ///
    /// - Parameter text: The document.
    init?(_ text: String) {
        // A character that is spelled as an escape would come out of libyaml as a stand-in too.
        let used = Set(text.unicodeScalars.map(\.value)).union(Self.spelledNumbers(in: text))
        candidates = (0xE000...0xE07F).filter { !used.contains($0) }.compactMap(Unicode.Scalar.init)
        guard let asterisk = candidates.popLast() else { return nil }
        originals[asterisk] = "*"
        scalars = text.unicodeScalars.map { $0 == "*" ? asterisk : $0 }
    }

    /// How many lines the text has; a newline at the end starts no further one.
    var lineCount: Int {
        let breaks = scalars.dropLast().count { $0 == "\n" }
        return breaks + 1
    }

    /// The document as libyaml shall read it.
    var text: String { String(String.UnicodeScalarView(scalars)) }

    /// The text as it was written.
    func restored(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { originals[$0] ?? $0 }))
    }

    /// Makes the key at a place differ from every other, in its first letter.
    ///
    /// - Parameters:
    ///   - line: The line of the key, from 1.
    ///   - column: The column of the key, from 1.
    /// - Returns: Whether it was done; a key that starts with an escape or a tag stays.
    mutating func disguiseKey(line: Int, column: Int) -> Bool {
        guard var offset = offset(line: line, column: column) else { return false }
        if scalars[offset] == "\"" || scalars[offset] == "'" { offset += 1 }
        guard offset < scalars.count, !Self.keepsMeaning.contains(scalars[offset]),
            let standIn = candidates.popLast()
        else { return false }
        originals[standIn] = originals[scalars[offset]] ?? scalars[offset]
        scalars[offset] = standIn
        return true
    }

    /// Whether there is a tab in front of the first other character of a line.
    func isIndentedWithTab(line: Int) -> Bool {
        guard let start = offset(line: line, column: 1) else { return false }
        return scalars[start...].prefix { $0 == " " || $0 == "\t" }.contains("\t")
    }

    /// What four hexadecimal digits in a row stand for that begin with `e0`, wherever they are.
    private static func spelledNumbers(in text: String) -> [UInt32] {
        let bytes = Array(text.utf8)
        return bytes.indices.dropLast(3).compactMap { start in
            guard bytes[start] | 0x20 == UInt8(ascii: "e"), bytes[start + 1] == UInt8(ascii: "0")
            else { return nil }
            return UInt32(String(decoding: bytes[start..<start + 4], as: UTF8.self), radix: 16)
        }
    }

    /// Characters in front of or inside a key that are more than a letter of it.
    private static let keepsMeaning: Set<Unicode.Scalar> = [
        "\"", "'", "\\", "&", "!", "?", "|", ">", "[", "{", "\n", "\r",
    ]

    /// Where a line and column are, with lines as libyaml counts them.
    private func offset(line: Int, column: Int) -> Int? {
        var start = 0
        var current = 1
        for offset in scalars.indices where current < line {
            guard Self.lineBreaks.contains(scalars[offset]) else { continue }
            if scalars[offset] == "\r", scalars[safe: offset + 1] == "\n" { continue }
            current += 1
            start = offset + 1
        }
        let offset = start + column - 1
        return current == line && scalars.indices.contains(offset) ? offset : nil
    }

    private static let lineBreaks: Set<Unicode.Scalar> = [
        "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}",
    ]
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }
}
