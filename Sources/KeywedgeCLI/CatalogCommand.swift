import ArgumentParser

struct CatalogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "Fill, empty, export, check, publish, follow and serve the embedded catalog.",
        discussion: """
            Example:
              keywedge catalog import products.csv --map name=Artikel --currency EUR
            """,
        subcommands: [
            CatalogImportCommand.self, CatalogRemoveCommand.self, CatalogExportCommand.self,
            CatalogCheckCommand.self, CatalogPublishCommand.self, CatalogFollowCommand.self,
            CatalogServeCommand.self,
        ])
}
