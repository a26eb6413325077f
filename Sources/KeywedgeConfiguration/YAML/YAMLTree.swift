/// A part of a YAML document with its place: what libyaml found, and nothing decided about types.
///
/// Scalars keep their text: `0627` and `1e10` are product numbers here, and `NO` is a country.
struct YAMLTree: Equatable {
    /// What a part is.
    enum Content: Equatable {
        /// A text; plain where it stood without quotation marks.
        case scalar(String, isPlain: Bool)
        /// A list.
        case sequence([YAMLTree])
        /// Keys with values, in the order of the file; a key may stand twice.
        case mapping([Entry])
        /// A reference to an anchor elsewhere, by its name.
        case alias(String)
    }

    /// One key with its value.
    struct Entry: Equatable {
        let key: YAMLTree
        let value: YAMLTree
    }

    /// What the part is.
    let content: Content
    /// The line it starts on, from 1.
    let line: Int
    /// The column it starts in, in Unicode scalars from 1.
    let column: Int
    /// The anchor or tag in front, as written; nil for none.
    let decoration: String?

    /// The value with the place of its key, where it starts on a later line than that.
    ///
    /// A message about a list or a mapping is about its key.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value; what is inside it keeps its place.
    func placed(at key: YAMLTree) -> YAMLTree {
        guard line > key.line else { return self }
        return YAMLTree(
            content: content, line: key.line, column: key.column, decoration: decoration)
    }

    /// Whether this is a value YAML reads as none: nothing at all, `~` or `null`.
    var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }
}

extension YAMLTree {
    /// This tree with what another one says in its place: mappings key by key, all else whole.
    ///
    /// - Parameters:
    ///   - other: What goes ahead of this.
    ///   - alternatives: Keys of which one stands for the others.
    ///   - merge: Gives what holds for the two values under a key; without, the other one does.
    /// - Returns: The merged tree.
    func overlaid(
        by other: YAMLTree, alternatives: [[String]] = [],
        _ merge: (String) -> ((YAMLTree, YAMLTree) -> YAMLTree)?
    ) -> YAMLTree {
        guard case .mapping(let entries) = content, case .mapping(let news) = other.content else {
            return other
        }
        let names = news.compactMap(\.name)
        let replaced = alternatives.filter { $0.contains(where: names.contains) }.flatMap(\.self)
        var result = entries.filter { entry in
            entry.name.map { names.contains($0) || !replaced.contains($0) } ?? true
        }
        for new in news {
            if let index = result.firstIndex(where: { $0.name != nil && $0.name == new.name }) {
                let merged = new.name.flatMap(merge)?(result[index].value, new.value) ?? new.value
                result[index] = Entry(key: new.key, value: merged)
            } else {
                result.append(new)
            }
        }
        return YAMLTree(
            content: .mapping(result), line: other.line, column: other.column,
            decoration: other.decoration)
    }

    /// The tree as if all of it stood at one place, where it was asked for by name.
    func moved(line: Int, column: Int) -> YAMLTree {
        let moved: Content =
            switch content {
            case .scalar, .alias: content
            case .sequence(let items):
                .sequence(items.map { $0.moved(line: line, column: column) })
            case .mapping(let entries):
                .mapping(
                    entries.map {
                        Entry(
                            key: $0.key.moved(line: line, column: column),
                            value: $0.value.moved(line: line, column: column))
                    })
            }
        return YAMLTree(content: moved, line: line, column: column, decoration: decoration)
    }

    /// The first value under a key; nil where there is none.
    func value(of key: String) -> YAMLTree? {
        guard case .mapping(let entries) = content else { return nil }
        return entries.first { $0.name == key }?.value
    }

    /// The tree without a key.
    func without(_ key: String) -> YAMLTree {
        guard case .mapping(let entries) = content else { return self }
        return YAMLTree(
            content: .mapping(entries.filter { $0.name != key }), line: line, column: column,
            decoration: decoration)
    }
}

extension YAMLTree.Entry {
    /// The key as a text; nil where it is none.
    var name: String? {
        if case .scalar(let text, _) = key.content { text } else { nil }
    }
}
