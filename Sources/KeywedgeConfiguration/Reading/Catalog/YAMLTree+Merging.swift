extension YAMLTree {
    /// Keys whose values are taken whole: parts of two of them would mean neither.
    private static let wholes: Set<String> = [
        "json", "form", "graphql", "not_found", "failed", "throttled", "with",
    ]

    /// Keys of which one stands for the others.
    private static let alternatives: [Set<String>] = [
        ["header", "basic", "bearer", "oauth2"], ["json", "form", "graphql"],
        ["minor_units", "decimals"], ["user", "user_file"], ["client_id", "client_id_file"],
    ]

    /// This tree with what another one says in its place: mappings key by key, all else whole.
    ///
    /// - Parameters:
    ///   - other: What goes ahead of this.
    ///   - key: The key both stand under.
    /// - Returns: The merged tree.
    func overlaid(by other: YAMLTree, under key: String = "") -> YAMLTree {
        guard case .mapping(let entries) = content, case .mapping(let news) = other.content,
            !Self.wholes.contains(key)
        else { return other }
        let replaced = Set(news.compactMap(\.name)).flatMap { name in
            Self.alternatives.filter { $0.contains(name) }.flatMap { $0.subtracting([name]) }
        }
        var result = entries.filter { $0.name.map { !replaced.contains($0) } ?? true }
        for new in news {
            if let index = result.firstIndex(where: { $0.name != nil && $0.name == new.name }) {
                let old = result[index]
                result[index] = Entry(
                    key: new.key, value: old.value.overlaid(by: new.value, under: new.name ?? ""))
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
    fileprivate var name: String? {
        if case .scalar(let text, _) = key.content { text } else { nil }
    }
}
