import ArgumentParser
import Events
import KeyLayouts
import WireText

struct LayoutsListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the layouts that XKB knows on this box.",
        discussion: """
            Words search: each must be in the name or the title, or be a language (deu) or a \
            country (DE). What is listed is what layout: takes.

            Example:
              keywedge layouts list german dead
            """)

    @Argument(help: "Words to search for.")
    var words: [String] = []

    @Option(help: "json or pretty; without it pretty on a terminal and else json.")
    var format: ObjectFormat?

    func run() throws {
        let registry = try orFail { try KeyLayoutRegistry.installed() }
        let entries = registry.entries(matching: words.joined(separator: " "))
        var output = DescriptorWriter.standardOutput()
        let width = entries.map(\.layout.description.count).max() ?? 0
        for entry in entries {
            try output.write { bytes in
                if (format ?? .suitable) == .json {
                    ObjectFormat.json.append(Self.object(of: entry), to: &bytes)
                } else {
                    bytes += Array(Self.line(of: entry, width: width).utf8)
                }
            }
        }
        try output.flush()
        guard entries.isEmpty else { return }
        let words = words.joined(separator: " ").quoted(upTo: .max)
        throw Failure("no layout matches \(words)")
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
