import Keystrokes
import WireText
import Yams

extension Codec<[KeyCode: KeyConfiguration]> {
    static let keys = dictionary(
        "a mapping such as {KEY_F8: \"\\u001d\"}", of: .meaning,
        keys: .string(pattern: KeyNames.pattern),
        key: { name, reader in
            let key = KeyNames.key(name)
            if key == nil {
                reader.report(
                    expected: KeyNames.suggestion(for: name), found: "\(quoted: name)")
            }
            return key
        }, name: \.name, order: { $0.rawValue < $1.rawValue })
}

extension Codec<KeyConfiguration> {
    fileprivate static let meaning = Self(
        read: { reader in
            reader.value("one character, ignore or terminator") { text in
                switch text {
                case "ignore": .ignore
                case "terminator": .terminator
                default: text.onlyScalar.map(KeyConfiguration.character)
                }
            }
        },
        write: { meaning in
            switch meaning {
            case .character(let character): Node(text: String(character))
            case .ignore: Node(word: "ignore")
            case .terminator: Node(word: "terminator")
            }
        }, schema: { _ in .any(of: ["enum": ["ignore", "terminator"]], .character) })
}
