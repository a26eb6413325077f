import ArgumentParser

struct LayoutsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "layouts",
        abstract: "The keyboard layouts there are, and which one a scanner types on.",
        discussion: """
            Example:
              keywedge layouts list german
              keywedge layouts show de:nodeadkeys
              sudo keywedge layouts detect --scanner 0c2e:0b61
            """,
        subcommands: [
            LayoutsListCommand.self, LayoutsShowCommand.self, LayoutsDetectCommand.self,
        ])
}
