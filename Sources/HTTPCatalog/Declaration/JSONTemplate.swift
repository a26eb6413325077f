package import WireText

/// A JSON body with placeholders in its texts.
///
/// The structure is fixed by the declaration: a value only ever becomes part of a text, which is
/// escaped when it is written, so no value can add a key or end a text.
package indirect enum JSONTemplate: Hashable, Sendable {
    /// One key with its value.
    package struct Member: Hashable, Sendable {
        /// The key; it has no placeholders.
        package var key: String
        /// What stands under it.
        package var value: JSONTemplate

        /// Makes a member.
        ///
        /// - Parameters:
        ///   - key: The key.
        ///   - value: What stands under it.
        package init(_ key: String, _ value: JSONTemplate) {
            self.key = key
            self.value = value
        }
    }

    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, digit for digit.
    case number(JSONNumber)
    /// A text with placeholders.
    case text(Template)
    /// A list.
    case array([JSONTemplate])
    /// An object, in the order written.
    case object([Member])

    /// The templates in it, in order.
    package var templates: [Template] {
        switch self {
        case .null, .bool, .number: []
        case .text(let template): [template]
        case .array(let elements): elements.flatMap(\.templates)
        case .object(let members): members.flatMap(\.value.templates)
        }
    }

    /// The value with values in it.
    func rendered(_ values: [String: String]) -> JSONValue {
        switch self {
        case .null: .null
        case .bool(let bool): .bool(bool)
        case .number(let number): .number(number)
        case .text(let template): .string(template.rendered(values))
        case .array(let elements): .array(elements.map { $0.rendered(values) })
        case .object(let members): .object(Self.object(members, values))
        }
    }

    private static func object(_ members: [Member], _ values: [String: String]) -> JSONObject {
        var object = JSONObject(capacity: members.count)
        for member in members { object.append(member.key, member.value.rendered(values)) }
        return object
    }
}
