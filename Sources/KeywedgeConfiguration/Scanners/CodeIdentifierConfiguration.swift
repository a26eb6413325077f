package import Keystrokes
import WireText
import Yams

extension Codec<CodeIdentifierConfiguration> {
    private static let expected =
        "none, zebra, datalogic or a mapping such as {d: \"]E0\", j: \"]C0\"}"
    private static let words: [(word: String, makers: CodeIdentifierConfiguration)] = [
        ("none", .none), ("zebra", .zebra), ("datalogic", .datalogic),
    ]

    /// A maker's name, or a mapping of one's own.
    static let codeIdentifiers = Self(
        read: { reader in
            if case .mapping = reader.tree.content {
                return own.read(reader).map(CodeIdentifierConfiguration.custom)
            }
            return reader.value(expected) { text in words.first { $0.word == text }?.makers }
        },
        write: { identifiers in
            if case .custom(let meanings) = identifiers { return own.write(meanings) }
            return words.first { $0.makers == identifiers }.map { Node(word: $0.word) }
        },
        schema: { .any(of: .either(words.map(\.word)), own.schema(&$0)) })

    private static let own = Codec<[String: String]>.dictionary(
        expected, of: .aim, keys: ["minLength": 1, "maxLength": 8], isQuoted: true,
        key: { identifier, reader in
            if (1...8).contains(identifier.unicodeScalars.count) { return identifier }
            reader.report(
                expected: "an identifier of 1 to 8 characters", found: "\(quoted: identifier)")
            return nil
        }, name: \.self, order: <)
}

extension Codec<String> {
    /// Rule: ISO/IEC 15424, section 4.
    fileprivate static let aim = text(
        "an AIM identifier such as ]E0, or \"\" for none",
        .string(pattern: "^(\\][A-Za-z][A-Za-z0-9])?$")
    ) { text in
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { return true }
        return bytes.count == 3 && bytes[0] == UInt8(ascii: "]")
            && bytes.dropFirst().allSatisfy {
                let character = Character(Unicode.Scalar($0))
                return character.isASCII && (character.isLetter || character.isNumber)
            } && Character(Unicode.Scalar(bytes[1])).isLetter
    }
}

/// Which letters a scanner sends ahead of the data to name the symbology.
package enum CodeIdentifierConfiguration: Hashable, Sendable {
    /// None, or such that are not to be taken off.
    case none
    /// Those of Zebra's scanners.
    case zebra
    /// Those of Datalogic's scanners.
    case datalogic
    /// One's own, each with the AIM identifier it stands for, or with an empty text.
    case custom([String: String])

    package var identifiers: CodeIdentifiers {
        switch self {
        case .none: .none
        case .zebra: .zebra
        case .datalogic: .datalogic
        case .custom(let meanings): CodeIdentifiers(meanings)
        }
    }
}
