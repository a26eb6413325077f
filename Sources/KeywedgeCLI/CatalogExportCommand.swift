import ArgumentParser
import Catalog
import Events
import KeywedgeDaemon

struct CatalogExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the catalog as a CSV file that imports to the same catalog.",
        discussion: """
            Example:
              keywedge catalog export -o products.csv
            """)

    @Option(name: [.short, .long], help: "The file to write; else standard output.")
    var output = "-"

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption

    func run() async throws {
        let path = try catalogOption.file(of: configurationOption.load())
        try orFail {
            let catalog = try EmbeddedCatalog(path: path)
            try OutputFile.write(to: output) { writer in
                try catalog.exportCSV { try writer.write($0) }
            }
        }
    }
}
