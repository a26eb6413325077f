package import Keystrokes
package import WireText

/// What the keyboard types for a scan: words, keys and parts of the event.
package struct KeyboardTemplate: Hashable, Sendable, CustomStringConvertible {
    private enum Part: Hashable, Sendable {
        case text(String)
        case key(KeyCode)
        /// Paths into the event's data; the first that leads to a value counts.
        case value([[String]])
    }

    /// The template as it was written.
    package let description: String
    private let parts: [Part]

    /// `{text}{enter}`.
    package static let text = KeyboardTemplate(
        description: "{text}{enter}", parts: [.value([["text"]]), .key(.enter)])

    private init(description: String, parts: [Part]) {
        self.description = description
        self.parts = parts
    }

    /// Reads a template such as `{gtin}{enter}`.
    ///
    /// `{enter}` and `{tab}` are keys. Any other name in braces is a member of the event's data
    /// (`{product.id}`), or the first of several that has a value (`{gtin|text}`).
    ///
    /// - Throws: ``KeyboardTemplateError``.
    package init(_ text: String) throws(KeyboardTemplateError) {
        description = text
        var parts: [Part] = []
        var rest = text[...]
        while let first = rest.first {
            guard first == "{" else {
                let words = rest.prefix { $0 != "{" }
                guard !words.contains("}") else { throw .strayBrace }
                parts.append(.text(String(words)))
                rest = rest[words.endIndex...]
                continue
            }
            let name = rest.dropFirst().prefix { $0 != "}" }
            guard name.endIndex < rest.endIndex else { throw .strayBrace }
            parts.append(try Self.part(String(name)))
            rest = rest[name.endIndex...].dropFirst()
        }
        guard !parts.isEmpty else { throw .empty }
        self.parts = parts
    }

    private static func part(_ name: String) throws(KeyboardTemplateError) -> Part {
        switch name {
        case "enter": return .key(.enter)
        case "tab": return .key(.tab)
        default:
            let paths = name.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            }
            let isName = paths.joined().allSatisfy { step in
                !step.isEmpty
                    && step.unicodeScalars.allSatisfy { $0.isTopicCharacter && $0 != "." }
            }
            guard isName else { throw .noName(name) }
            return .value(paths)
        }
    }

    /// The pieces to type for an event with this data, in order.
    ///
    /// - Throws: The name of a value that the event does not have.
    package func pieces(for data: JSONObject) throws(MissingValue) -> [Piece] {
        var pieces: [Piece] = []
        for part in parts {
            switch part {
            case .text(let text): pieces.append(.text(text, isScanned: false))
            case .key(let key): pieces.append(.key(key))
            case .value(let paths):
                guard let text = paths.lazy.compactMap({ Self.text(at: $0, in: data) }).first
                else {
                    throw MissingValue(
                        name: paths.map { $0.joined(separator: ".") }.joined(separator: "|"))
                }
                pieces.append(.text(text, isScanned: true))
            }
        }
        return pieces
    }

    /// The characters that are typed for every scan, and the digits if it types values.
    package var characters: [Unicode.Scalar] {
        let words = parts.flatMap { part -> [Unicode.Scalar] in
            if case .text(let text) = part { Array(text.unicodeScalars) } else { [] }
        }
        let hasValue = parts.contains { if case .value = $0 { true } else { false } }
        return words + (hasValue ? Array("0123456789".unicodeScalars) : [])
    }

    private static func text(at path: [String], in data: JSONObject) -> String? {
        var value: JSONValue? = .object(data)
        for step in path { value = value?.object?[step] }
        switch value {
        case .string(let text): return text.isEmpty ? nil : text
        case .integer(let number): return String(number)
        case .number(let number): return number.literal
        case nil, .null, .bool, .array, .object: return nil
        }
    }

    package enum Piece: Equatable, Sendable {
        case text(String, isScanned: Bool)
        case key(KeyCode)
    }

    /// An event does not have the value with this name in the template.
    package struct MissingValue: Error, Equatable, Sendable {
        package var name: String
    }
}

/// Why a text is not a template for the keyboard.
package enum KeyboardTemplateError: Error, Equatable, Sendable, CustomStringConvertible {
    case empty
    /// A brace without its counterpart.
    case strayBrace
    /// The text in braces is not a name.
    case noName(String)

    /// What is wrong, for the end of a sentence.
    package var description: String {
        switch self {
        case .empty: "it types nothing"
        case .strayBrace: "a brace of it lacks its other one"
        case .noName(let name): "\(name.quoted()) is no name of a value"
        }
    }
}
