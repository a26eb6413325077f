import ArgumentParser
import Events
import KeyLayouts

struct LayoutsShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Draw the keyboard of a layout.",
        discussion: """
            On each key: with Shift above, alone below; to the right of both, with AltGr. A star \
            marks a dead key, which changes the key after it.

            Example:
              keywedge layouts show fr
            """)

    @Argument(help: "The layout, as de or de:nodeadkeys.")
    var layout: String

    func run() throws {
        let compiled = try orFail { () throws(KeyLayoutError) in
            try CompiledLayout(named: layout)
        }
        if let notice = compiled.composeNotice { StandardError.write("keywedge: \(notice)") }
        var output = DescriptorWriter.standardOutput()
        for line in KeyboardPicture(compiled.table).lines {
            try output.write(Array("\(line)\n".utf8))
        }
        try output.flush()
    }
}
