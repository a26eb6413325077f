package import Keystrokes
import WireText
import Yams

extension Codec<[TerminatorConfiguration]> {
    /// What ends a scan; `[none]` gives an empty list.
    static let terminators = ends(
        nonEmpty: "at least one terminator ([none] where only a pause ends a scan)")

    /// What begins a scan; `[none]` gives an empty list.
    static let starts = ends(nonEmpty: "at least one start ([none] where any key begins a scan)")

    private static func ends(nonEmpty: String) -> Self {
        let list = list(
            "a list such as [enter, tab], or [none]", of: .end, nonEmpty: nonEmpty, onOneLine: true
        ) { _, ends in
            var seen: [TerminatorConfiguration] = []
            for case (let item, let end?) in ends {
                if seen.contains(end) { item.report(expected: "each terminator once") }
                seen.append(end)
            }
        }
        return Self(
            read: { reader in
                if case .sequence(let items) = reader.tree.content, items.count == 1,
                    case .scalar("none", _) = items[0].content
                {
                    return reader.isUndecorated() ? [] : nil
                }
                return list.read(reader)
            },
            write: { $0.isEmpty ? Node([Node(word: "none")], .implicit, .flow) : list.write($0) },
            schema: { writer in
                var ends = list.schema(&writer)
                ends.append("uniqueItems", true)
                return .any(of: ["const": ["none"]], ends)
            })
    }
}

extension Codec<TerminatorConfiguration> {
    private static let words: [(word: String, end: TerminatorConfiguration)] = [
        ("enter", .enter), ("tab", .tab), ("esc", .escape),
    ]

    fileprivate static let end = Self(
        read: read,
        write: { end in
            switch end {
            case .character(let character): Node(text: String(character))
            case .key(let key): Node(word: key.name)
            default: words.first { $0.end == end }.map { Node(word: $0.word) }
            }
        },
        schema: { _ in
            .any(
                of: ["enum": .array(words.map { .string($0.word) })], .character,
                .string(pattern: KeyNames.pattern))
        })

    @Sendable private static func read(_ reader: ConfigurationReader) -> TerminatorConfiguration? {
        let expected = "enter, tab, esc, none, one character or the kernel's name of a key"
        guard let text = reader.text(expected) else { return nil }
        if let end = words.first(where: { $0.word == text })?.end { return end }
        if let character = text.onlyScalar { return .character(character) }
        if let key = KeyNames.key(text) { return .key(key) }
        if text == "none" {
            reader.report(expected: "none to stand alone, for no terminator")
        } else {
            reader.report(
                expected: text.hasPrefix("KEY_") ? KeyNames.suggestion(for: text) : expected)
        }
        return nil
    }
}

/// What ends a scan.
package enum TerminatorConfiguration: Hashable, Sendable {
    /// Either Enter key.
    case enter
    /// The Tab key.
    case tab
    /// The Escape key.
    case escape
    /// A character, whichever key types it.
    case character(Unicode.Scalar)
    /// A key, whatever it types.
    case key(KeyCode)
}
