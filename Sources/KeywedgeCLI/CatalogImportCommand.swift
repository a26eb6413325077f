import ArgumentParser
import Catalog
import Events
import Glibc
import KeywedgeConfiguration
import KeywedgeDaemon
import WireText

struct CatalogImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import products from a CSV file, all or nothing.",
        discussion: """
            The columns are recognised by their names: id, ean, sku, plu, name, price, currency, \
            unit and the like, in several languages; every other column is an attribute. A product \
            that is there already is updated.

            Example:
              keywedge catalog import products.csv --map name=Artikel --currency EUR
            """)

    @Argument(help: "The CSV file, in UTF-8; comma, semicolon or tab.")
    var file: String

    @Option(
        help: ArgumentHelp(
            "The column that holds a field, as name=Artikel.", valueName: "field=column"))
    var map: [ColumnMapping] = []

    @Option(help: "The currency of prices that name none (ISO 4217); else the configured one.")
    var currency: Currency?

    @Flag(help: "Import the valid rows although others are invalid.")
    var skipInvalid = false

    @Flag(help: "With --skip-invalid: exit with 3 where a row was skipped.")
    var strict = false

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption

    func run() async throws {
        let configuration = try configurationOption.load()
        let path = try catalogOption.file(of: configuration)
        let options = ImportOptions(
            mappings: map,
            currency: currency ?? configuration.catalog.currency.flatMap { Currency($0) },
            skipsInvalidRows: skipInvalid)
        let summary = try importFile(to: path, options: options)
        StandardError.write(
            "keywedge: \(Escaping.line.escaped(file)): \(summary.added) added, "
                + "\(summary.updated) updated, \(summary.unchanged) unchanged, "
                + "\(summary.skipped) skipped")
        if strict, summary.skipped > 0 { throw ExitCode(Ending.Code.rejected) }
    }

    private func importFile(to path: String, options: ImportOptions) throws -> ImportSummary {
        var progress = ProgressBar(isShown: StandardError.isTerminal)
        var hasSucceeded = false
        let isNew = access(path, F_OK) != 0
        defer {
            progress.clear()
            // An empty catalog would answer that nothing is known, as if it had been filled.
            if isNew, !hasSucceeded { for end in ["", "-wal", "-shm"] { unlink(path + end) } }
        }
        return try orFail {
            let catalog = try EmbeddedCatalog(path: path, access: .writing)
            let summary = try catalog.importCSV(file, options: options) { event in
                switch event {
                case .progress(let done, let total, let rows):
                    try Task.checkCancellation()
                    progress.show(done: done, of: total, note: rows.counted("row"))
                case .invalid(let row):
                    progress.clear()
                    StandardError.write(
                        "\(Escaping.line.escaped(file)):\(row.line): \(row.reason)")
                }
            }
            hasSucceeded = true
            return summary
        }
    }
}
