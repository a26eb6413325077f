import Foundation
import WireText

extension Configuration {
    /// Reads and checks a configuration file.
    ///
    /// Relative paths in it start from its folder, with a link in `path` not followed.
    ///
    /// - Parameter path: The file; relative to the working directory unless absolute.
    /// - Returns: The configuration, complete with defaults and with absolute paths.
    /// - Throws: All that is wrong with the file, be it that it cannot be read.
    package static func load(path: String) throws(ConfigurationError) -> Self {
        let folder = FileManager.default.currentDirectoryPath
        let absolute = path.hasPrefix("/") ? path : folder + "/" + path
        let context = ReadingContext(file: path, folder: Self.folder(of: absolute))
        let text = ConfigurationFile.text(path: path, context)
        return try configuration(text ?? "", context)
    }

    /// Checks the text of a configuration file.
    ///
    /// - Parameters:
    ///   - text: The text: YAML, or nothing for the defaults.
    ///   - file: The name for messages; relative paths in the text start from its folder.
    /// - Returns: The configuration, complete with defaults.
    /// - Throws: All that is wrong with the text.
    package static func parse(text: String, file: String) throws(ConfigurationError) -> Self {
        try configuration(text, ReadingContext(file: file, folder: folder(of: file)))
    }

    private static func configuration(
        _ text: String, _ context: ReadingContext
    ) throws(ConfigurationError) -> Self {
        let tree = YAMLComposer.compose(withoutMark(text), context)
        try context.finish()
        guard let tree, !tree.isNull else { return .standard }
        let reader = ConfigurationReader(tree: tree, path: "", context: context)
        let configuration = section.codec.read(reader)
        try context.finish()
        return configuration ?? .standard
    }

    /// The text without the byte order mark some editors put in front.
    private static func withoutMark(_ text: String) -> String {
        guard text.unicodeScalars.first == "\u{FEFF}" else { return text }
        return String(text.unicodeScalars.dropFirst())
    }

    /// Everything in front of the last slash.
    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

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
