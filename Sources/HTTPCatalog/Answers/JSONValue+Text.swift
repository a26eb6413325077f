import WireText

extension JSONValue {
    /// The value as the text of a field: a text that is more than white space, or a number's digits.
    ///
    /// Lists, objects, truth values and `null` are no text.
    var fieldText: String? {
        switch self {
        case .string(let text): text.allSatisfy(\.isWhitespace) ? nil : text
        case .integer(let number): String(number)
        case .number(let number): number.literal
        case .null, .bool, .array, .object: nil
        }
    }

    /// The value as texts: itself, or the elements of a list.
    var fieldTexts: [String] {
        if case .array(let elements) = self { return elements.compactMap(\.fieldText) }
        return fieldText.map { [$0] } ?? []
    }

    /// What kind of value it is, for messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .integer, .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
