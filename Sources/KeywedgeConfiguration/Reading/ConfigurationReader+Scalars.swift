import WireText

extension ConfigurationReader {
    /// The text of a scalar, whatever YAML would make of it.
    ///
    /// - Parameter expected: What the text is, in words.
    /// - Returns: The text; nil for nothing, a list or a mapping.
    func text(_ expected: String) -> String? {
        guard isUndecorated() else { return nil }
        guard case .scalar(let text, _) = tree.content, !tree.isNull else {
            report(expected: expected)
            return nil
        }
        return text
    }

    /// What a text means.
    ///
    /// - Parameters:
    ///   - expected: What the text is, in words.
    ///   - meaning: Gives what the text means, or nil.
    /// - Returns: What the text means; nil where it means nothing.
    func value<Value>(_ expected: String, _ meaning: (String) -> Value?) -> Value? {
        guard let text = text(expected) else { return nil }
        guard let value = meaning(text) else {
            report(expected: expected)
            return nil
        }
        return value
    }

    /// What a text without quotation marks means.
    ///
    /// - Parameters:
    ///   - expected: What the text is, in words.
    ///   - meaning: Gives what the text means, or nil.
    /// - Returns: What the text means; nil where it means nothing.
    func unquoted<Value>(_ expected: String, _ meaning: (String) -> Value?) -> Value? {
        guard let text = text(expected) else { return nil }
        guard case .scalar(_, isPlain: true) = tree.content else {
            report(expected: expected, found: "the text \(quoted: text)")
            return nil
        }
        return value(expected, meaning)
    }

    /// The path of a file: as it is where absolute, else from the configuration file's folder.
    func filePath() -> String? {
        let expected = "the path of a file, absolute or from the folder of the configuration file"
        return value(expected) { text in
            guard !text.isEmpty, !text.contains("\0"), !text.hasSuffix("/") else { return nil }
            // A shell would have put the home folder here; keywedge has none to put.
            guard !text.hasPrefix("~/") else { return nil }
            guard !text.hasPrefix("/"), !context.folder.isEmpty else { return text }
            return context.folder + (context.folder.hasSuffix("/") ? "" : "/") + text
        }
    }

    /// What stands under a key, without a report where there is nothing.
    func child(_ key: String) -> Self? {
        tree.value(of: key).map { Self(tree: $0, path: at(key).path, context: context) }
    }
}
