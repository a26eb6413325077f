import ArgumentParser
import Catalog
import Events

struct CatalogExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the catalog as a CSV file that imports to the same catalog.",
        examples: "keywedge catalog export -o products.csv")

    @Option(name: [.short, .long], help: "The file to write; by default standard output (-).")
    var output: String?

    @Option(
        help: "Write only this shop's products, with its prices.", transform: CatalogScope.reading)
    var scope: CatalogScope?

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption

    func run() async throws {
        let path = try catalogOption.file(of: configurationOption.load())
        let output = output ?? "-"
        if output == "-", StandardOutput.isTerminal {
            throw Failure("a catalog is not written to a terminal; name a file with -o")
        }
        if let target = FileStamp(path: output),
            FileStamp(path: path)?.isSameFile(as: target) == true
        {
            throw Failure("the catalog itself cannot be the file it is exported to; name another")
        }
        let catalog = try CatalogFile(path: path)
        try OutputFile.replace(output) { writer in
            try catalog.exportCSV(in: scope) {
                try Task.checkCancellation()
                try writer.write($0)
            }
        }
    }
}
