import Yams

extension Configuration {
    /// The whole configuration with all its defaults, as a file that says the same.
    ///
    /// Everything outside printable ASCII is escaped, so it is safe to print. A byte order mark
    /// (U+FEFF) at the start of a text is the one thing that reading drops.
    ///
    /// - Returns: YAML that ``parse(text:file:)`` reads as this value again.
    /// - Throws: An error where libyaml cannot write, which it can unless memory is out.
    package func yaml() throws(ConfigurationError) -> String {
        do {
            return try Yams.serialize(node: node, width: -1)
        } catch {
            let problem = ConfigurationProblem(
                file: "-", found: Quoting.quoted(String(describing: error)),
                expected: "a configuration that can be written")
            throw ConfigurationError(problems: [problem])
        }
    }

    private var node: Node {
        Node(mapping: [
            ("scanners", Node(scanners.map(\.node))),
            ("barcodes", barcodes.node),
            ("catalog", catalog.node),
            ("events", Node(events.map(\.node))),
        ])
    }
}

extension Node {
    /// A mapping; keys without a value are left out.
    init(mapping pairs: [(String, Node?)], _ style: Mapping.Style = .block) {
        let present = pairs.compactMap { key, value in value.map { (Node(key), $0) } }
        self.init(present, .implicit, present.isEmpty ? .flow : style)
    }

    /// A mapping of any texts to any texts, all in quotation marks.
    init(texts pairs: [(String, String)]) {
        self.init(
            pairs.map { (Node(text: $0), Node(text: $1)) }, .implicit,
            pairs.isEmpty ? .flow : .block)
    }

    /// A word, number or duration of ours, which needs no quotation marks.
    init(word: String) {
        self.init(word, .implicit, .plain)
    }

    /// Any text, in quotation marks.
    init(text: String) {
        self.init(text, Tag(.str), .doubleQuoted)
    }
}
