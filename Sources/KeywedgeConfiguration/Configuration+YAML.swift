import WireText

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
            return try Self.section.codec.write(self)?.text() ?? ""
        } catch {
            let problem = ConfigurationProblem(
                file: "-", found: "\(quoted: String(describing: error))",
                expected: "a configuration that can be written")
            throw ConfigurationError(problems: [problem])
        }
    }
}
