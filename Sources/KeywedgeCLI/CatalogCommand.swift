import ArgumentParser

struct CatalogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "Fill, export and check the embedded catalog.",
        discussion: """
            Example:
              keywedge catalog import products.csv --map name=Artikel --currency EUR
            """,
        subcommands: [
            CatalogImportCommand.self, CatalogExportCommand.self, CatalogCheckCommand.self,
        ])
}
