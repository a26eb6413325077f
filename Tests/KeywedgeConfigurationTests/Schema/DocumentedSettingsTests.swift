import TestWaiting
import Testing
import WireText
import Yams

@testable import KeywedgeConfiguration

/// Tests that the example and the documents contain the settings of the schema.
@Suite(.blocking) struct DocumentedSettingsTests {
    private struct Documented {
        let path: [String]
        let standard: JSONValue?

        var name: String { path.last ?? "" }
    }

    /// The settings of a section and of the sections inside it.
    private func settings(
        _ section: String, _ path: [String] = [], without others: Set<String> = []
    ) throws -> [Documented] {
        let definitions = try #require(Configuration.schema.object?["$defs"]?.object)
        let properties = try #require(definitions[section]?.object?["properties"]?.object)
        return try properties.members.flatMap { member -> [Documented] in
            let value = try #require(member.value.object)
            let reference = value["$ref"] ?? value["items"]?.object?["$ref"]
            // The defaults of a section are those of its settings.
            let standard = reference == nil ? value["default"] : nil
            let here = Documented(path: path + [member.key], standard: standard)
            guard let name = reference?.string?.split(separator: "/").last.map(String.init),
                !others.contains(name)
            else { return [here] }
            return [here]
                + (try settings(name, here.path, without: others.union([section])))
        }
    }

    @Test func theExampleHasEverySettingWithItsDefault() throws {
        let text = try Examples.text("examples/keywedge.yaml")
        let context = ReadingContext(file: "example", folder: "")
        let tree = try #require(YAMLComposer.compose(text, context))
        let all = try settings(
            "configuration", without: ["http", "preset", "mqtt", "webhook", "exec", "keyboard"])
        #expect(all.count > 40)
        for setting in all {
            #expect(try names(setting.name, text), "\(setting.path)")
            guard let standard = setting.standard else { continue }
            let written = tree.first(at: setting.path[...])?.json
            #expect(written == standard, "\(setting.path)")
        }
    }

    /// The defaults of these settings are not in the table, but in sentences, if anywhere.
    private static let inSentences: Set = ["auth", "tls", "codes", "rate_limit", "redirects"]

    @Test func theDocumentHasEverySettingOfACatalogAndItsTableTheDefaults() throws {
        let text = try Examples.text("docs/catalog-http.md")
        let all = try settings("http")
        #expect(all.count > 80)
        for setting in all {
            #expect(try names(setting.name, text), "\(setting.path)")
            guard let standard = setting.standard, setting.path != ["cache", "obey_headers"],
                Self.inSentences.isDisjoint(with: setting.path.prefix(1))
            else { continue }
            let key = setting.path.joined(separator: "\\.")
            let row = text.firstMatch(of: try Regex("(?m)^\\| `\(key)` \\| ([^|]*) \\| [^|]* \\|$"))
            let cell = row?.output[1].substring
            #expect(cell.map { value(String($0)) } == standard, "\(setting.path)")
        }
    }

    @Test(arguments: [
        ("scanner", "typing", "match"), ("match", "devices", ""), ("barcodes", "barcodes", ""),
        ("catalog", "catalog-http", ""), ("mqtt", "sinks", ""), ("webhook", "sinks", ""),
        ("exec", "sinks", ""), ("keyboard", "sinks", ""),
    ])
    func theDocumentsHaveAllOtherSettings(section: String, document: String, elsewhere: String)
        throws
    {
        let text = try Examples.text("docs/\(document).md")
        for setting in try settings(section, without: ["match", "http", "preset"])
        where setting.name != elsewhere {
            let code = try Regex("`[^`]*\\b\(setting.name)\\b").wordBoundaryKind(.simple)
            #expect(text.firstMatch(of: code) != nil, "\(setting.path)")
        }
    }

    private func names(_ name: String, _ text: String) throws -> Bool {
        text.firstMatch(of: try Regex("\\b\(name)\\b").wordBoundaryKind(.simple)) != nil
    }

    /// Reads a value as a table shows it: `10,000`, `1 MiB`, `100 ms, full jitter`.
    private func value(_ cell: String) -> JSONValue {
        let words = cell.replacing("10,000", with: "10000").split { $0 == " " || $0 == "," }
        guard let first = words.first, words.count > 1 else {
            return JSONValue(plain: words.joined())
        }
        if words[1] == "MiB", let number = Int64(first) { return .integer(number << 20) }
        let duration = DurationText.duration("\(first)\(words[1])")
        return duration.map { .string(DurationText.text($0)) } ?? .string(cell)
    }
}

extension Node {
    /// Returns the node at a path; in a list, the node of the first element that has one.
    fileprivate func first(at path: ArraySlice<String>) -> Node? {
        if let items, !path.isEmpty {
            return items.lazy.compactMap { $0.first(at: path) }.first
        }
        guard let key = path.first else { return self }
        return pairs?.first { $0.key.text == key }?.value.first(at: path.dropFirst())
    }
}
