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

/// What a key means on a scanner, in place of what the layout says.
package enum KeyConfiguration: Hashable, Sendable {
    /// The key types this character.
    case character(Unicode.Scalar)
    /// The key is no data.
    case ignore
    /// The key ends a scan.
    case terminator
}

/// Names of keys as they stand in a configuration file.
enum KeyNames {
    /// What a name looks like, as a regular expression (ECMA-262).
    static let pattern = "^(KEY|BTN)_[A-Za-z0-9_]+$"

    /// The key a name stands for: the kernel's name, or `KEY_0x2f0` for a key without one.
    static func key(_ name: String) -> KeyCode? {
        if let key = KeyCode(name: name) { return key }
        guard name.hasPrefix("KEY_0x"), name.utf8.count <= 9,
            let number = UInt16(name.dropFirst(6), radix: 16), number <= KeyCode.highest
        else { return nil }
        return KeyCode(rawValue: number)
    }

    /// What is expected in place of a name that no key has.
    static func suggestion(for name: String) -> String {
        let names = (0...KeyCode.highest).map { KeyCode(rawValue: $0).name }
        let full = name.uppercased().hasPrefix("KEY_") ? name : "KEY_" + name
        let near = NearestName.nearest(to: full, in: names, within: .max)
        return "the kernel's name of a key" + (near.map { " (did you mean \($0)?)" } ?? "")
    }
}
