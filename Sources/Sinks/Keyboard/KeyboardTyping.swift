package import Events
package import Keystrokes
import WireText

/// Translates events into the keys to type on one keyboard layout.
package struct KeyboardTyping: Sendable {
    /// The text cannot be typed; the reason does not contain the scanned text.
    package struct Untypable: Error, Equatable { let reason: String }

    private let template: KeyboardTemplate
    private let rejection: KeyboardTemplate?
    private let allowsControls: Bool
    private let typist: Typist

    /// Makes the translation for the layout of the program that reads the keys.
    ///
    /// `template` is typed for each scan, and `rejection`, if any, for each rejection.
    package init(
        template: KeyboardTemplate, rejection: KeyboardTemplate?, allowsControls: Bool,
        table: KeyTable
    ) {
        self.template = template
        self.rejection = rejection
        self.allowsControls = allowsControls
        // Never use Caps Lock: its state belongs to the person at the keyboard.
        typist = Typist(table: table, terminators: .none, usesCapsLock: false)
    }

    /// The first character that the templates need but the layout cannot type, if any.
    package var missingCharacter: Unicode.Scalar? {
        (template.characters + (rejection?.characters ?? [])).first {
            typist.keystrokes(for: $0) == nil
        }
    }

    /// The keys to type for an event, each change followed by its report; empty for an event that types nothing.
    package func keys(for event: Event) throws(Untypable) -> [KeyEvent] {
        let template: KeyboardTemplate? =
            switch event.type {
            case .scan: self.template
            case .scanRejected: rejection
            default: nil
            }
        var keys: [KeyEvent] = []
        for part in template?.parts ?? [] { keys += try self.keys(for: part, of: event.data) }
        return keys
    }

    private func keys(
        for part: KeyboardTemplate.Part, of data: JSONObject
    ) throws(Untypable) -> [KeyEvent] {
        let text: String
        switch part {
        case .key(let key):
            return [.key(key, 1, at: 0), .report(at: 0), .key(key, 0, at: 0), .report(at: 0)]
        case .text(let words): text = words
        case .value(let value):
            guard let scanned = value.text(in: data) else {
                throw Untypable(reason: "it has no \(value.name)")
            }
            guard allowsControls || !scanned.unicodeScalars.contains(where: Escaping.isUnsafe)
            else {
                throw Untypable(reason: "it has a control character, which is not allowed here")
            }
            text = scanned
        }
        do throws(TypingError) {
            return try typist.events(for: text, endingWith: nil)
        } catch {
            throw Untypable(reason: "it has a character that the layout has no keys for")
        }
    }
}

/// The words, keys and parts of the event that the keyboard types for a scan.
package struct KeyboardTemplate: Hashable, Sendable, CustomStringConvertible {
    enum Part: Hashable, Sendable {
        case text(String)
        case key(KeyCode)
        case value(Value)
    }

    /// A part of the event's data.
    struct Value: Hashable, Sendable {
        /// The spelling in the template: `gtin|text`.
        let name: String
        /// Paths into the data; the first that contains a text or number is used.
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

    /// The characters that are typed for every scan, and the digits if the template has values.
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

/// The reason why a string is not a template for the keyboard.
package enum KeyboardTemplateError: Error, Equatable, Sendable, CustomStringConvertible {
    case empty
    case strayBrace
    case noName(String)

    /// The fault, as the end of a sentence.
    package var description: String {
        switch self {
        case .empty: "it types nothing"
        case .strayBrace: "a brace of it lacks its other one"
        case .noName(let name): "\(name.quoted()) is not the name of a value"
        }
    }
}
