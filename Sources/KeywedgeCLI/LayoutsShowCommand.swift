import ArgumentParser
import Events
import KeyLayouts
import Keystrokes
import WireText

struct LayoutsShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Draw the keyboard of a layout.",
        discussion: """
            Each key shows its character at the bottom, with Shift at the top, and with AltGr on \
            the right. A star marks a dead key, which changes the next key.

            Example:
              keywedge layouts show fr
            """)

    @Argument(help: "The layout, as de or de:nodeadkeys.")
    var layout: String

    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var quietOption: QuietOption

    func run() throws {
        let compiled = try CompiledLayout(named: layout)
        if let notice = compiled.composeNotice { quietOption.say("\(notice)") }
        var output = DescriptorWriter.standardOutput()
        try formatOption.chosen(else: .pretty).write(
            ["layout": .string(layout), "keys": .array(Self.keys(of: compiled.table))],
            KeyboardPicture(compiled.table).lines, to: &output)
        try output.flush()
    }

    /// The text of each key, for each combination of modifiers.
    private static func keys(of table: KeyTable) -> [JSONValue] {
        let levels: [(String, KeyLevel)] = [
            ("plain", []), ("shift", .shift), ("altgr", .altGr), ("shift_altgr", [.shift, .altGr]),
        ]
        return table.keys.compactMap { key in
            var object: JSONObject = ["key": .string(key.name)]
            for (name, level) in levels {
                switch table[key, level] {
                case .character(let character): object.append(name, .string(String(character)))
                case .dead: object.append(name, ["dead": .bool(true)])
                default: break
                }
            }
            return object.members.count > 1 ? .object(object) : nil
        }
    }
}
