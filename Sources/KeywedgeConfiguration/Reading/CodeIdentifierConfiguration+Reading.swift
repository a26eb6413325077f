extension CodeIdentifierConfiguration {
    private static let expected =
        "none, zebra, datalogic or a mapping such as {d: \"]E0\", j: \"]C0\"}"

    /// Reads a maker's name, or a mapping of one's own.
    static func reading(_ reader: ConfigurationReader) -> Self? {
        guard case .mapping = reader.tree.content else {
            return reader.value(expected) { text in
                ["none": Self.none, "zebra": .zebra, "datalogic": .datalogic][text]
            }
        }
        guard let entries = reader.entries(expected) else { return nil }
        var meanings: [String: String] = [:]
        for (identifier, value) in entries {
            guard (1...8).contains(identifier.unicodeScalars.count) else {
                value.report(
                    expected: "an identifier of 1 to 8 characters",
                    found: Quoting.quoted(identifier))
                continue
            }
            let aim = value.value("an AIM identifier such as ]E0, or \"\" for none", aim)
            meanings[identifier] = aim ?? ""
        }
        return .custom(meanings)
    }

    /// Rule: ISO/IEC 15424, section 4.
    private static func aim(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { return "" }
        let isIdentifier =
            bytes.count == 3 && bytes[0] == UInt8(ascii: "]")
            && bytes.dropFirst().allSatisfy {
                let character = Character(Unicode.Scalar($0))
                return character.isASCII && (character.isLetter || character.isNumber)
            } && Character(Unicode.Scalar(bytes[1])).isLetter
        return isIdentifier ? text : nil
    }
}
