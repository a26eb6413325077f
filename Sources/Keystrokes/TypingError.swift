/// Why a text cannot be typed.
public enum TypingError: Error, Hashable, Sendable {
    /// The layout has no key for `character`, the 0-based `offset` in the text.
    case noKey(character: Unicode.Scalar, offset: Int)
    /// On this scanner `character`, the 0-based `offset` in the text, stands for another.
    case standsForAnother(character: Unicode.Scalar, offset: Int)
    /// The encoding the scanner types does not have `character`, the 0-based `offset` in the text.
    case notInEncoding(character: Unicode.Scalar, encoding: TypedEncoding, offset: Int)
    /// A part of the text is how the scanner spells a control character out.
    case spellsControl
}

extension TypingError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .noKey(let character, let offset):
            "the layout has no key for \(Self.name(of: character)), character \(offset) of the text"
        case .standsForAnother(let character, let offset):
            "on this scanner \(Self.name(of: character)) stands for another character (substitutes),"
                + " character \(offset) of the text"
        case .notInEncoding(let character, let encoding, let offset):
            "\(encoding.rawValue) has no \(Self.name(of: character)), character \(offset) of the text"
        case .spellsControl:
            "a part of the text is how this scanner spells a control character out (control_names)"
        }
    }

    private static func name(of character: Unicode.Scalar) -> String {
        let number = String(character.value, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: max(0, 4 - number.count)) + number
        return "U+" + padded + (character.properties.name.map { " \($0)" } ?? "")
    }
}
