import WireText

/// One value of a configuration file, to be read as what it should be.
///
/// Every method gives nil where the value is something else, after it has reported so with the
/// value's place and key. The caller then keeps its default and goes on, so that one run finds all
/// that is wrong.
struct ConfigurationReader {
    /// The value.
    let tree: YAMLTree
    /// The value's key as a dotted path; empty at the top.
    let path: String
    /// Where problems go.
    let context: ReadingContext

    /// Reports this value as a problem.
    ///
    /// - Parameters:
    ///   - expected: What should stand here.
    ///   - found: What stands here instead; left out, the value itself is shown.
    func report(expected: String, found: Phrase? = nil) {
        context.report(
            line: tree.line, column: tree.column, key: path.isEmpty ? nil : path,
            expected: expected, found: found ?? shown)
    }

    /// What stands here, as a message shows it.
    var shown: Phrase {
        switch tree.content {
        case .alias(let name): "the alias \(quoted: "*" + name)"
        case .sequence(let items): items.isEmpty ? "an empty list" : "a list"
        case .mapping(let entries): entries.isEmpty ? "an empty mapping" : "a mapping"
        case .scalar("", isPlain: true): "nothing"
        case .scalar(let text, _) where tree.isNull:
            "\(text), which is nothing in YAML unless it is quoted"
        case .scalar(let text, _): "\(quoted: text)"
        }
    }

    /// The values of a list.
    ///
    /// - Parameter expected: What the list is of, in words.
    /// - Returns: The values; nil for anything but a list.
    func list(_ expected: String) -> [Self]? {
        guard isUndecorated() else { return nil }
        guard case .sequence(let items) = tree.content else {
            report(expected: expected)
            return nil
        }
        return items.enumerated().map { index, item in
            Self(tree: item, path: "\(path)[\(index)]", context: context)
        }
    }

    /// The keys and values of a mapping, without those that stand twice.
    ///
    /// - Parameter expected: What the mapping is, in words.
    /// - Returns: The keys and values; nil for anything but a mapping.
    func entries(_ expected: String) -> [(key: String, reader: Self)]? {
        guard isUndecorated() else { return nil }
        guard case .mapping(let entries) = tree.content else {
            report(expected: expected)
            return nil
        }
        var lines: [String: Int] = [:]
        return entries.compactMap { entry in
            let key = Self(tree: entry.key, path: path, context: context)
            guard let name = key.keyName() else { return nil }
            let here = key.at(name)
            if let line = lines[name] {
                here.report(expected: "each key once", found: "it again after line \(line)")
                return nil
            }
            lines[name] = entry.key.line
            let value = entry.value.placed(at: entry.key)
            return (name, Self(tree: value, path: here.path, context: context))
        }
    }

    /// The same value, to be looked at without a report.
    var unreported: Self {
        Self(tree: tree, path: path, context: ReadingContext(file: "", folder: ""))
    }

    /// The same place with one more key in its path.
    func at(_ key: String) -> Self {
        let isPlain =
            !key.isEmpty
            && key.allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-")
            }
        let part = isPlain ? key : key.quoted()
        return Self(tree: tree, path: path.isEmpty ? part : "\(path).\(part)", context: context)
    }

    private func keyName() -> String? {
        guard isUndecorated() else { return nil }
        guard case .scalar(let text, _) = tree.content else {
            report(expected: "the name of a key")
            return nil
        }
        return text
    }

    /// Whether the value stands for itself; anchors, aliases and tags are reported.
    func isUndecorated() -> Bool {
        if case .alias = tree.content {
            report(expected: "the value itself (anchors and aliases are not read)")
            return false
        }
        guard let decoration = tree.decoration else { return true }
        let kind = decoration.hasPrefix("&") ? "anchor" : "tag"
        report(
            expected: "the value itself (anchors, aliases and tags are not read)",
            found: "the \(kind) \(quoted: decoration)")
        return false
    }
}
