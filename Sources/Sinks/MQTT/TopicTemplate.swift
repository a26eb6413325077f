import Events
package import Journal
import WireText

/// The topic of events: words, and the register's, the scanner's and the type's name between them.
///
/// Nothing of what was scanned is ever a part of it.
package struct TopicTemplate: Hashable, Sendable, CustomStringConvertible {
    /// What stands in the place of a name.
    package enum Field: String, CaseIterable, Sendable {
        /// The register's name.
        case register
        /// The scanner's name; `_` for an event of the daemon itself.
        case scanner
        /// The event's type.
        case type
    }

    private enum Part: Hashable, Sendable {
        case text(String)
        case field(Field)
    }

    /// The template as it was written.
    package let description: String
    private let parts: [Part]

    /// What stands for a name where there is none.
    static let nobody = "_"

    /// `keywedge/{register}/{scanner}/{type}`.
    package static let events = TopicTemplate(
        ["keywedge"], .register, .scanner, .type)
    /// `keywedge/{register}/status`.
    package static let status = TopicTemplate(["keywedge"], .register, after: "status")

    private init(_ words: [String], _ fields: Field..., after last: String? = nil) {
        let levels = words + fields.map { "{\($0.rawValue)}" } + [last].compactMap(\.self)
        description = levels.joined(separator: "/")
        var parts = [Part.text(words.joined(separator: "/"))]
        for field in fields { parts += [.text("/"), .field(field)] }
        if let last { parts.append(.text("/" + last)) }
        self.parts = parts
    }

    /// Reads a template.
    ///
    /// - Parameters:
    ///   - text: `keywedge/{register}/{scanner}/{type}`: levels of `A-Z a-z 0-9 . _ -` and fields.
    ///   - fields: The fields that may stand in it.
    /// - Throws: ``TopicTemplateError``.
    package init(
        _ text: String, fields: [Field] = Field.allCases
    ) throws(TopicTemplateError) {
        description = text
        guard text.utf8.count <= 1024 else { throw .tooLong }
        guard
            text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty })
        else { throw .emptyLevel }
        var parts: [Part] = []
        var rest = text[...]
        while let first = rest.first {
            if first == "{" {
                let name = rest.dropFirst().prefix { $0 != "}" }
                guard name.endIndex < rest.endIndex, let field = Field(rawValue: String(name)),
                    fields.contains(field)
                else { throw .unknownField(String(name)) }
                parts.append(.field(field))
                rest = rest[name.endIndex...].dropFirst()
            } else {
                let words = rest.prefix { $0 != "{" }
                let other = words.unicodeScalars.first {
                    $0 != "/" && !(UInt8(exactly: $0.value)?.isTopicCharacter ?? false)
                }
                if let other { throw .character(other) }
                parts.append(.text(String(words)))
                rest = rest[words.endIndex...]
            }
        }
        self.parts = parts
    }

    /// The topic of an event.
    ///
    /// - Parameter entry: The event.
    /// - Returns: The topic; a name's characters that may not stand in a topic are `-`.
    package func topic(of entry: JournalEntry) -> String {
        let place = EventPlace(source: entry.source)
        return topic(
            register: place.register ?? Self.nobody, scanner: place.scanner ?? Self.nobody,
            type: entry.type.rawValue)
    }

    /// The topic with other texts in the place of its fields.
    ///
    /// - Parameters:
    ///   - register: The register's name.
    ///   - scanner: The scanner's name, or a wildcard of ours.
    ///   - type: The type, or a wildcard of ours.
    /// - Returns: The topic.
    func topic(register: String, scanner: String, type: String) -> String {
        parts.reduce(into: "") { topic, part in
            switch part {
            case .text(let text): topic += text
            case .field(.register): topic += Self.level(register)
            case .field(.scanner): topic += Self.level(scanner)
            case .field(.type): topic += Self.level(type)
            }
        }
    }

    /// Whether a field is all there is on its level, so that a wildcard can stand for it.
    func hasWholeLevel(_ field: Field) -> Bool {
        description.split(separator: "/").contains { $0 == "{\(field.rawValue)}" }
    }

    /// Whether a field stands in it.
    func contains(_ field: Field) -> Bool { parts.contains(.field(field)) }

    private static func level(_ name: String) -> String {
        guard name != "+" else { return name }
        return String(
            name.unicodeScalars.map { scalar -> Character in
                UInt8(exactly: scalar.value)?.isTopicCharacter ?? false ? Character(scalar) : "-"
            })
    }
}

/// Why a text is no template of a topic.
package enum TopicTemplateError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A level without a character.
    case emptyLevel
    /// A field that there is not, or not here.
    case unknownField(String)
    /// A character that may not stand in a topic.
    case character(Unicode.Scalar)
    /// More than 1,024 bytes.
    case tooLong

    /// What is wrong, for the end of a sentence.
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

extension UInt8 {
    /// Whether the byte may stand in a level of a topic: `A-Z a-z 0-9 . _ -`.
    var isTopicCharacter: Bool {
        switch Unicode.Scalar(self) {
        case "A"..."Z", "a"..."z", "0"..."9", ".", "_", "-": true
        default: false
        }
    }
}
