import Events
package import Journal
import WireText

/// The topic of events: words, and the names of register, scanner and type; never what was scanned.
package struct TopicTemplate: Hashable, Sendable, CustomStringConvertible {
    /// A word in braces that stands for a name.
    package enum Field: String, CaseIterable, Sendable {
        case register
        /// The scanner's name; `_` for an event of the daemon itself.
        case scanner
        case type

        fileprivate var text: String { "{\(rawValue)}" }
    }

    package let description: String

    package static let events = TopicTemplate(checked: "keywedge/{register}/{scanner}/{type}")
    package static let status = TopicTemplate(checked: "keywedge/{register}/status")

    private init(checked text: String) { description = text }

    /// Reads a template: levels of `A-Z a-z 0-9 . _ -`, with `fields` in them.
    package init(
        _ text: String, fields: [Field] = Field.allCases
    ) throws(TopicTemplateError) {
        guard text.utf8.count <= 1024 else { throw .tooLong }
        guard !"/\(text)/".contains("//") else { throw .emptyLevel }
        for (index, part) in text.split(separator: "{", omittingEmptySubsequences: false)
            .enumerated()
        {
            var words = part
            if index > 0 {
                let name = part.prefix { $0 != "}" }
                guard name.endIndex < part.endIndex, fields.contains(where: { $0.rawValue == name })
                else { throw .unknownField(String(name)) }
                words = part[name.endIndex...].dropFirst()
            }
            let other = words.unicodeScalars.first { $0 != "/" && !$0.isTopicCharacter }
            if let other { throw .character(other) }
        }
        description = text
    }

    /// The topic of an event; `-` replaces characters of names that topics must not have.
    package func topic(of entry: JournalEntry) -> String {
        let place = EventPlace(source: entry.source)
        return topic(
            register: place.register ?? "_", scanner: place.scanner ?? "_",
            type: entry.type.rawValue)
    }

    /// The topic with these names; without a type, that of events of all types.
    func topic(register: String, scanner: String, type: String?) -> String {
        description.replacing(Field.register.text, with: Self.level(register))
            .replacing(Field.scanner.text, with: Self.level(scanner))
            .replacing(Field.type.text, with: type.map(Self.level) ?? "+")
    }

    func contains(_ field: Field) -> Bool { description.contains(field.text) }

    private static func level(_ name: String) -> String {
        String(name.unicodeScalars.map { $0.isTopicCharacter ? Character($0) : "-" })
    }
}

package enum TopicTemplateError: Error, Equatable, Sendable, CustomStringConvertible {
    case emptyLevel
    /// A field that does not exist, or not here.
    case unknownField(String)
    case character(Unicode.Scalar)
    case tooLong

    /// The fault, for the end of a sentence.
    package var description: String {
        switch self {
        case .emptyLevel: "a level of it is empty"
        case .unknownField(let name): "there is no field {\(name.quoted())} here"
        case .character(let scalar):
            "\(String(scalar).quoted()) is none of A-Z, a-z, 0-9, \".\", \"_\" and \"-\""
        case .tooLong: "it is longer than 1024 bytes"
        }
    }
}

extension Unicode.Scalar {
    /// Whether a level of a topic may contain the character: `A-Z a-z 0-9 . _ -`.
    var isTopicCharacter: Bool {
        switch self {
        case "A"..."Z", "a"..."z", "0"..."9", ".", "_", "-": true
        default: false
        }
    }
}
