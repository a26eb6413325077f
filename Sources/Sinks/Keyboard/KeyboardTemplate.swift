import Keystrokes
import WireText

/// The words, keys and parts of the event that the keyboard types for a scan.
package struct KeyboardTemplate: Hashable, Sendable, CustomStringConvertible {
    enum Part: Hashable, Sendable {
        case text(String)
        case key(KeyCode)
        case value(Value)
    }

    /// A part of the event's data.
    struct Value: Hashable, Sendable {
        /// As it is written: `gtin|text`.
        let name: String
        /// Paths into the data; the first that leads to a text or a number counts.
        let paths: [[String]]

        func text(in data: JSONObject) -> String? {
            for path in paths {
                switch path.reduce(JSONValue?.some(.object(data)), { $0?.object?[$1] }) {
                case .string(let text) where !text.isEmpty: return text
                case .integer(let number): return String(number)
                case .number(let number): return number.literal
                default: continue
                }
            }
            return nil
        }
    }

    package let description: String
    let parts: [Part]

    package static let text = KeyboardTemplate(
        description: "{text}{enter}",
        parts: [.value(Value(name: "text", paths: [["text"]])), .key(.enter)])
}

extension KeyboardTemplate {
    /// Reads a template such as `{gtin}{enter}`.
    ///
    /// `{enter}` and `{tab}` are keys. Any other name in braces is a member of the event's data
    /// (`{product.id}`), or the first of several that has a value (`{gtin|text}`).
    package init(_ text: String) throws(KeyboardTemplateError) {
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
        self.init(description: text, parts: parts)
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
            return .value(Value(name: name, paths: paths))
        }
    }

    /// The characters that are typed for every scan, and the digits if it types values.
    var characters: [Unicode.Scalar] {
        parts.flatMap { part in
            switch part {
            case .text(let text): Array(text.unicodeScalars)
            case .value: Array("0123456789".unicodeScalars)
            case .key: [Unicode.Scalar]()
            }
        }
    }
}

/// Why a text is not a template for the keyboard.
package enum KeyboardTemplateError: Error, Equatable, Sendable, CustomStringConvertible {
    case empty
    case strayBrace
    case noName(String)

    /// The fault, for the end of a sentence.
    package var description: String {
        switch self {
        case .empty: "it types nothing"
        case .strayBrace: "a brace of it lacks its other one"
        case .noName(let name): "\(name.quoted()) is no name of a value"
        }
    }
}
