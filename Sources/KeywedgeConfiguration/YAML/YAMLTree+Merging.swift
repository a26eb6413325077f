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
