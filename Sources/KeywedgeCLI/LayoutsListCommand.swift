import ArgumentParser
import Events
import KeyLayouts
import WireText

struct LayoutsListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the layouts that XKB knows on this box.",
        discussion: """
            Each word must be in the name or title, or be a language (deu) or country (DE). The \
            setting layout: accepts the listed names.

            Example:
              keywedge layouts list german dead
            """)

    @Argument(help: "Words to search for.")
    var words: [String] = []

    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var quietOption: QuietOption

    func run() throws {
        let registry = try KeyLayoutRegistry.installed()
        let entries = registry.entries(matching: words.joined(separator: " "))
        var output = DescriptorWriter.standardOutput()
        let width = entries.map(\.layout.description.count).max() ?? 0
        for entry in entries {
            try output.write { bytes in
                if formatOption.chosen == .json {
                    ObjectFormat.json.append(Self.object(of: entry), to: &bytes)
                } else {
                    bytes += Array(Self.line(of: entry, width: width).utf8)
                }
            }
        }
        try output.flush()
        guard entries.isEmpty else { return }
        let words = words.joined(separator: " ").quoted(upTo: .max)
        throw Failure("no layout matches \(words); keywedge layouts list shows all")
    }

    private static func line(of entry: KeyLayoutEntry, width: Int) -> String {
        let name = entry.layout.description
        let padding = String(repeating: " ", count: width - name.count + 2)
        return name + padding + Escaping.line.escaped(entry.title) + "\n"
    }

    private static func object(of entry: KeyLayoutEntry) -> JSONObject {
        [
            "layout": .string(entry.layout.description), "title": .string(entry.title),
            "languages": .array(entry.languages.map(JSONValue.string)),
            "countries": .array(entry.countries.map(JSONValue.string)),
        ]
    }
}
