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
        /// The key.
        let key: YAMLTree
        /// The value.
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
