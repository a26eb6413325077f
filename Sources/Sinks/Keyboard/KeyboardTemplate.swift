package import Keystrokes
package import WireText

/// What the keyboard types for a scan: words and keys, and parts of the event between them.
package struct KeyboardTemplate: Hashable, Sendable, CustomStringConvertible {
    private enum Part: Hashable, Sendable {
        case text(String)
        case key(KeyCode)
        /// Ways to members of the event's data, of which the first that leads to a value is taken.
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

    /// Reads a template.
    ///
    /// - Parameter text: `{gtin}{enter}`: `{enter}` and `{tab}` are keys, any other name in braces is
    ///   a member of the event's data (`{product.id}`), or the first of several that is there
    ///   (`{gtin|text}`).
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
            let ways = name.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            }
            let isName = ways.joined().allSatisfy { step in
                !step.isEmpty
                    && step.unicodeScalars.allSatisfy { $0.isTopicCharacter && $0 != "." }
            }
            guard isName else { throw .noName(name) }
            return .value(ways)
        }
    }

    /// What is typed for an event.
    ///
    /// - Parameter data: The event's data.
    /// - Returns: The pieces in order.
    /// - Throws: The name of what the event does not have.
    package func pieces(
        for data: JSONObject
    ) throws(MissingValue) -> [Piece] {
        var pieces: [Piece] = []
        for part in parts {
            switch part {
            case .text(let text): pieces.append(.text(text, isScanned: false))
            case .key(let key): pieces.append(.key(key))
            case .value(let ways):
                guard let text = ways.lazy.compactMap({ Self.text(at: $0, in: data) }).first else {
                    throw MissingValue(
                        name: ways.map { $0.joined(separator: ".") }.joined(separator: "|"))
                }
                pieces.append(.text(text, isScanned: true))
            }
        }
        return pieces
    }

    /// The characters that are typed whatever is scanned, and the digits of what is.
    package var characters: [Unicode.Scalar] {
        let words = parts.flatMap { part -> [Unicode.Scalar] in
            if case .text(let text) = part { Array(text.unicodeScalars) } else { [] }
        }
        let hasValue = parts.contains { if case .value = $0 { true } else { false } }
        return words + (hasValue ? Array("0123456789".unicodeScalars) : [])
    }

    private static func text(at way: [String], in data: JSONObject) -> String? {
        var value: JSONValue? = .object(data)
        for step in way { value = value?.object?[step] }
        switch value {
        case .string(let text): return text.isEmpty ? nil : text
        case .integer(let number): return String(number)
        case .number(let number): return number.literal
        case nil, .null, .bool, .array, .object: return nil
        }
    }

    /// A piece of what is typed.
    package enum Piece: Equatable, Sendable {
        /// Characters, and whether they were scanned.
        case text(String, isScanned: Bool)
        /// A key.
        case key(KeyCode)
    }

    /// An event does not have what a template asks for.
    package struct MissingValue: Error, Equatable, Sendable {
        /// Its name in the template.
        package var name: String
    }
}

/// Why a text is no template for the keyboard.
package enum KeyboardTemplateError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is nothing to type.
    case empty
    /// A brace without its other one.
    case strayBrace
    /// What stands in braces is no name.
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
