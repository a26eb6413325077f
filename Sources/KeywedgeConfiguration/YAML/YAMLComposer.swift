import WireText
import Yams

/// Turns a text into a tree, through libyaml.
struct YAMLComposer {
    /// The most keys that may stand twice before the rest of the file is left unread.
    static let mostDuplicates = 32

    private var standIns: YAMLPlaceholders
    private let context: ReadingContext

    /// Reads one YAML document.
    ///
    /// - Parameters:
    ///   - text: The document, without a byte order mark.
    ///   - context: Where problems of the syntax go.
    /// - Returns: The tree; nil for a document of nothing, and after a problem.
    static func compose(_ text: String, _ context: ReadingContext) -> YAMLTree? {
        guard YAMLSyntax.checkCharacters(of: text, context) else { return nil }
        guard let standIns = YAMLPlaceholders(text) else {
            context.report(
                expected: "fewer private-use characters", found: "all from U+E000 to U+E07F")
            return nil
        }
        var composer = Self(standIns: standIns, context: context)
        return composer.compose()
    }

    private mutating func compose() -> YAMLTree? {
        for _ in 0..<Self.mostDuplicates {
            do {
                return try parsed()
            } catch {
                if disguisedKey(of: error) { continue }
                YAMLSyntax.report(error, in: standIns, context)
                return nil
            }
        }
        context.report(
            expected: "each key once",
            found: "more than \(Self.mostDuplicates - 1) keys that stand twice")
        return nil
    }

    /// Lets a key that stands twice through, for the reader of the tree to say so with both lines.
    private mutating func disguisedKey(of error: any Error) -> Bool {
        guard case YamlError.duplicatedKeysInMapping(_, let place) = error else { return false }
        return standIns.disguiseKey(line: place.mark.line, column: place.mark.column)
    }

    private func parsed() throws -> YAMLTree? {
        let parser = try Parser(yaml: standIns.text, resolver: .basic, encoding: .utf8)
        // A node holds its anchor weakly; the parser owns it.
        return try withExtendedLifetime(parser) { try parser.singleRoot().map(tree) }
    }

    private func tree(_ node: Node) -> YAMLTree {
        YAMLTree(
            content: content(node), line: node.mark?.line ?? 1, column: node.mark?.column ?? 1,
            decoration: decoration(node))
    }

    private func content(_ node: Node) -> YAMLTree.Content {
        switch node {
        case .scalar(let scalar):
            let text = standIns.restored(scalar.string)
            let isPlain = scalar.style == .plain
            // libyaml would have taken a plain text that starts so for an alias.
            if isPlain, text.hasPrefix("*") { return .alias(String(text.dropFirst())) }
            return .scalar(text, isPlain: isPlain)
        case .sequence(let items):
            return .sequence(items.map(tree))
        case .mapping(let pairs):
            return .mapping(pairs.map { .init(key: tree($0.key), value: tree($0.value)) })
        case .alias(let alias):
            return .alias(alias.anchor.rawValue)
        }
    }

    private func decoration(_ node: Node) -> String? {
        if let anchor = node.anchor { return "&" + anchor.rawValue }
        let tag = standIns.restored(rawTag(node).description)
        return Self.harmlessTags.contains(tag) ? nil : tag
    }

    private func rawTag(_ node: Node) -> Tag {
        switch node {
        case .scalar(let scalar): scalar.tag
        case .sequence(let sequence): sequence.tag
        case .mapping(let mapping): mapping.tag
        case .alias(let alias): alias.tag
        }
    }

    /// The tags that say what libyaml sees anyway; quotation marks give `str`.
    private static let harmlessTags: Set<String> = [
        "", "!", "tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map",
    ]
}
