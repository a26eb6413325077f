/// Several codes in one field of a table.
///
/// A bar separates codes: `4006381333931|SKU-7`. A bar that belongs to a code is written `\|`
/// (and a backslash ahead of such a bar `\\`); elsewhere a backslash is itself. Without a bar,
/// line breaks separate; spaces, commas and semicolons do only if every part is 8, 12, 13 or 14
/// digits, since other codes may contain them. A bar at the end means the codes character for character.
enum CodeField {
    /// The codes in a field, without blanks around them and without empty ones.
    static func codes(in field: String) -> [String] {
        let parts: [String]
        if field.utf8.contains(bar) {
            parts = splitAtBars(field)
        } else if field.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            parts = field.split(whereSeparator: \.isNewline).map(String.init)
        } else {
            parts = splitNumbers(field) ?? [field]
        }
        return parts.map(trimmed).filter { !$0.isEmpty }
    }

    /// A field that reads back as the codes given.
    static func field(of codes: [String]) -> String {
        // A bar at the end keeps a single code whole that has separators inside, one that looks as if a
        // spreadsheet had made it, and characters that cannot be seen.
        var endsWithBar = codes.contains { !VisibleText.code($0).utf8.elementsEqual($0.utf8) }
        if codes.count == 1, !endsWithBar {
            endsWithBar =
                self.codes(in: escaped(codes[0], barFollows: false)) != codes
                || CodeReader.mends(codes[0])
        }
        var field = ""
        for (index, code) in codes.enumerated() {
            let barFollows = index < codes.count - 1 || endsWithBar
            field += escaped(code, barFollows: barFollows) + (barFollows ? "|" : "")
        }
        return field
    }

    static let bar = UInt8(ascii: "|")
    private static let backslash = UInt8(ascii: "\\")

    private static func splitAtBars(_ field: String) -> [String] {
        var parts: [[UInt8]] = [[]]
        var backslashes = 0
        for byte in field.utf8 {
            if byte == backslash {
                backslashes += 1
                continue
            }
            let last = parts.count - 1
            let isEscape = byte == bar
            parts[last] += repeatElement(backslash, count: isEscape ? backslashes / 2 : backslashes)
            if isEscape, backslashes % 2 == 0 { parts.append([]) } else { parts[last].append(byte) }
            backslashes = 0
        }
        parts[parts.count - 1] += repeatElement(backslash, count: backslashes)
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func escaped(_ code: String, barFollows: Bool) -> String {
        var result: [UInt8] = []
        var backslashes = 0
        for byte in code.utf8 {
            if byte == bar { result += repeatElement(backslash, count: backslashes + 1) }
            backslashes = byte == backslash ? backslashes + 1 : 0
            result.append(byte)
        }
        if barFollows { result += repeatElement(backslash, count: backslashes) }
        return String(decoding: result, as: UTF8.self)
    }

    /// Numbers as long as a GTIN between spaces, commas or semicolons; nil for anything else.
    private static func splitNumbers(_ field: String) -> [String]? {
        guard field.utf8.contains(where: isSeparator) else { return nil }
        let parts = field.utf8.split(whereSeparator: isSeparator)
        let areNumbers = parts.allSatisfy { part in
            [8, 12, 13, 14].contains(part.count) && part.allSatisfy(\.isDigit)
        }
        return areNumbers ? parts.map { String(Substring($0)) } : nil
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
    }

    private static func trimmed(_ text: String) -> String {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        guard let first = text.utf8.firstIndex(where: { !isBlank($0) }),
            let last = text.utf8.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(text[first...last])
    }
}
