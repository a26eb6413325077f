import ArgumentParser
import Catalog
import Events
import Glibc
import KeywedgeConfiguration
import KeywedgeDaemon

struct CatalogExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the catalog as a CSV file that imports to the same catalog.",
        discussion: """
            Example:
              keywedge catalog export -o products.csv
            """)

    @Option(name: [.short, .long], help: "The file to write; else, and for -, standard output.")
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Write what that shop has, with its prices, and nothing of others.",
            valueName: "name"), transform: CatalogScope.reading)
    var scope: CatalogScope?

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption

    func run() async throws {
        let path = try catalogOption.file(of: configurationOption.load())
        let output = output ?? "-"
        if output == "-", StandardOutput.isTerminal {
            throw Failure("a catalog is not written to a terminal; name a file with -o")
        }
        if Self.isSameFile(path, output) {
            throw Failure("the catalog itself cannot be the file it is exported to")
        }
        try orFail {
            let catalog = try CatalogFile(path: path)
            try OutputFile.replace(output) { writer in
                try catalog.exportCSV(in: scope) {
                    try Task.checkCancellation()
                    try writer.write($0)
                }
            }
        }
    }

    private static func isSameFile(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(one, &first) == 0, stat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }
}
