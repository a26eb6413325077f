import ArgumentParser
import Catalog
import Events
import KeywedgeDaemon

struct CatalogCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Find wrong check digits, and codes that two products share.",
        discussion: """
            Each finding is a line; with any, the command exits with 1.

            Example:
              keywedge catalog check --catalog catalog.sqlite
            """)

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption

    func run() async throws {
        let path = try catalogOption.file(of: configurationOption.load())
        var output = DescriptorWriter.standardOutput()
        var count = 0
        let products = try orFail {
            let catalog = try EmbeddedCatalog(path: path)
            try catalog.check { finding in
                count += 1
                try output.write(Array("\(finding)\n".utf8))
            }
            try output.flush()
            return try catalog.count()
        }
        StandardError.write("keywedge: \(products) products, \(count) findings")
        if count > 0 { throw ExitCode(Ending.Code.failed) }
    }
}
