import WireText
import Yams

/// A value in a configuration file, with methods that read it as a certain type.
///
/// If the value has another type, a method reports the mistake and returns nil, and reading continues.
struct ConfigurationReader {
    let tree: Node
    /// The value's key as a dotted path, such as `scanners[0].name`; empty for the root of the file.
    let path: String
    let context: ReadingContext

    /// Reports a mistake in this value; if `found` is nil, the message shows what the file contains.
    func report(expected: String, found: Phrase? = nil) {
        let isRefused = found == nil && tree.refused != nil
        context.report(
            line: tree.line, column: tree.mark?.column ?? 1, key: path.isEmpty ? nil : path,
            expected: isRefused ? Node.expectedValue : expected, found: found ?? shown)
    }

    func refuse<Value>(expected: String, found: Phrase? = nil) -> Value? {
        report(expected: expected, found: found)
        return nil
    }

    private var shown: Phrase {
        if let refused = tree.refused { return refused }
        switch tree {
        case .sequence(let items): return items.isEmpty ? "an empty list" : "a list"
        case .mapping(let pairs): return pairs.isEmpty ? "an empty mapping" : "a mapping"
        case .scalar(let scalar) where !tree.isNull: return "\(quoted: scalar.string)"
        case .scalar(let scalar) where scalar.string.isEmpty: return "nothing"
        default: return "\(tree.text ?? ""), which is nothing in YAML unless it is quoted"
        }
    }

    /// Returns a reader for `text`, as if the file contained it in place of this value.
    func replaced(by text: String) -> Self {
        Self(tree: Node(text: text).placed(at: tree.mark), path: path, context: context)
    }

    /// Returns a copy with `key` appended to its path, for reporting a problem with that key.
    func at(_ key: String) -> Self {
        let plain = /[A-Za-z0-9_-]+/.matchingSemantics(.unicodeScalar)
        let part = key.wholeMatch(of: plain) == nil ? key.quoted() : key
        return Self(tree: tree, path: path.isEmpty ? part : "\(path).\(part)", context: context)
    }

    func list(_ expected: String) -> [Self]? {
        guard let items = tree.items else { return refuse(expected: expected) }
        return items.enumerated().map { index, item in
            Self(tree: item, path: "\(path)[\(index)]", context: context)
        }
    }

    func entries(_ expected: String) -> [(key: String, reader: Self)]? {
        guard let pairs = tree.pairs else { return refuse(expected: expected) }
        return pairs.compactMap { key, value in
            let place = Self(tree: key, path: path, context: context)
            guard let name = key.text else { return place.refuse(expected: "the name of a key") }
            return (name, below(key, name, value))
        }
    }

    /// The reader of a key's value; nil, without a report, if there is no such key.
    subscript(key: String) -> Self? {
        tree.pairs?.first { $0.key.text == key }.map { below($0.key, key, $0.value) }
    }

    private func below(_ key: Node, _ name: String, _ value: Node) -> Self {
        // A message about a value names the line of its key.
        let value = value.line == key.line ? value : value.placed(at: key.mark)
        return Self(tree: value, path: at(name).path, context: context)
    }

    /// Returns the text of a scalar other than null; reports any other value and returns nil.
    func text(_ expected: String) -> String? {
        guard let text = tree.text, !tree.isNull else { return refuse(expected: expected) }
        return text
    }

    /// Reads a string and converts it with `meaning`; on failure, reports `expected` and returns nil.
    func value<Value>(_ expected: String, _ meaning: (String) -> Value?) -> Value? {
        guard let text = text(expected) else { return nil }
        return meaning(text) ?? refuse(expected: expected)
    }

    /// Like ``value(_:_:)``, but reports a quoted string as a mistake.
    func unquoted<Value>(_ expected: String, _ meaning: (String) -> Value?) -> Value? {
        guard let text = text(expected) else { return nil }
        guard tree.isPlain else {
            return refuse(expected: expected, found: "the text \(quoted: text)")
        }
        return value(expected, meaning)
    }

    /// Reads a file path; relative paths are resolved against the configuration file's folder.
    func filePath() -> String? {
        let expected = "the path of a file, absolute or from the folder of the configuration file"
        return value(expected) { text in
            guard !text.isEmpty, !text.contains("\0"), !text.hasSuffix("/") else { return nil }
            // A shell would replace ~ with the home folder; keywedge does not.
            guard !text.hasPrefix("~/") else { return nil }
            guard !text.hasPrefix("/"), !context.folder.isEmpty else { return text }
            return context.folder + (context.folder.hasSuffix("/") ? "" : "/") + text
        }
    }
}

/// The context in which a configuration file is read; it collects the mistakes in the file.
final class ReadingContext {
    /// The maximum size of a configuration file in bytes.
    private static let longest = 1 << 20
    /// The maximum number of problems to report; a file in another format could cause thousands of them.
    private static let mostProblems = 1000

    let file: String
    /// The folder against which relative paths in the file are resolved; empty for the working directory.
    let folder: String
    /// The YAML parser; it must outlive the nodes, which hold only weak references to its anchors.
    var parser: Parser?
    /// The default currency, for prices without one; nil if the file does not set it.
    var currency: String?
    private var problems: [ConfigurationProblem] = []

    init(file: String, folder: String) {
        self.file = file
        self.folder = folder
    }

    /// Whether another problem can be reported; problems beyond ``mostProblems`` are ignored.
    var hasRoom: Bool { problems.count < Self.mostProblems }

    func report(
        line: Int? = nil, column: Int? = nil, key: String? = nil, expected: String, found: Phrase
    ) {
        guard hasRoom else { return }
        problems.append(
            ConfigurationProblem(
                file: file, line: line, column: column, key: key, found: found, expected: expected))
    }

    /// Throws all problems, in the order of their positions; returns if none was found.
    func finish() throws(ConfigurationError) {
        guard !problems.isEmpty else { return }
        throw ConfigurationError(
            problems: problems.sorted {
                ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0)
            })
    }

    /// Reads a file or a pipe as UTF-8; returns nil after reporting a problem with its content.
    func text(path: String) throws(ConfigurationError) -> String? {
        let bytes: [UInt8]
        do throws(SystemCallError) {
            // Wait long: the command that writes the pipe may have to ask for a password.
            bytes = try SmallFile.read(path, limit: Self.longest, patience: .seconds(300))
        } catch  where error.isFileTooLarge {
            report(expected: "a file of at most \(Self.longest) bytes", found: "a longer one")
            return nil
        } catch {
            throw ConfigurationError(problems: [], unreadable: error)
        }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
        report(line: (line ?? 0) + 1, expected: "text in UTF-8", found: "other bytes")
        return nil
    }
}
