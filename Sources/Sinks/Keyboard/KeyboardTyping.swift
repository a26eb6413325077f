package import Events
package import Keystrokes
import WireText

/// A translation of events into key presses on a given keyboard layout.
package struct KeyboardTyping: Sendable {
    /// The error for an event that cannot be typed; the reason never quotes the scanned text.
    package struct Untypable: Error, Equatable { let reason: String }

    private let template: KeyboardTemplate
    private let rejection: KeyboardTemplate?
    private let allowsControls: Bool
    private let typist: Typist

    /// Prepares to type with the layout `table`; the program that receives the keys must use the same layout.
    ///
    /// `template` is typed for each scan, and `rejection`, if any, for each rejected scan. Unless `allowsControls` is
    /// true, an event whose values contain control or invisible characters is not typed.
    package init(
        template: KeyboardTemplate, rejection: KeyboardTemplate?, allowsControls: Bool,
        table: KeyTable
    ) {
        self.template = template
        self.rejection = rejection
        self.allowsControls = allowsControls
        // Never press Caps Lock, because that would change its state for the person at the real keyboard.
        typist = Typist(table: table, terminators: .none, usesCapsLock: false)
    }

    /// The first character that the templates need but the layout cannot type, or nil.
    package var missingCharacter: Unicode.Scalar? {
        (template.characters + (rejection?.characters ?? [])).first {
            typist.keystrokes(for: $0) == nil
        }
    }

    /// Returns the key events to type for an event; empty if its type has no template.
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

/// A template for what to type for an event, such as `{gtin}{enter}`.
package struct KeyboardTemplate: Hashable, Sendable, CustomStringConvertible {
    enum Part: Hashable, Sendable {
        case text(String)
        case key(KeyCode)
        case value(Value)
    }

    struct Value: Hashable, Sendable {
        /// The name between the braces in the template, such as `gtin|text`.
        let name: String
        /// Paths into the event's data; the first path to a number or text is used.
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
    /// `{enter}` and `{tab}` stand for keys. Any other name in braces is a member of the event's `data`, such as
    /// `{product.id}`. `{gtin|text}` stands for `gtin` or, if that has no value, for `text`.
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

    /// The characters that the layout must be able to type for this template.
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

package enum KeyboardTemplateError: Error, Equatable, Sendable, CustomStringConvertible {
    case empty
    case strayBrace
    case noName(String)

    /// The mistake as a clause in which "it" means the template, such as `it types nothing`.
    package var description: String {
        switch self {
        case .empty: "it types nothing"
        case .strayBrace: "a brace of it lacks its other one"
        case .noName(let name): "\(name.quoted()) is not the name of a value"
        }
    }
}
