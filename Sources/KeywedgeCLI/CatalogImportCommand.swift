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
            The columns are recognised by their names, in several languages and in the exports of many \
            shop systems; every other column is an attribute. The import says which column it takes \
            for what, and stops if it is not clear which one is the price. A product that is there \
            already is updated. A code that a spreadsheet has made a number of is mended if nothing \
            of it is lost (4006381333931.0), or only zeros ahead of a GTIN (42100005264); else its \
            row is invalid (4.00638E+12). Interrupted, it imports nothing. An import that would take \
            away or change more than it may (--max-change) changes nothing, says what it would have, \
            and exits with 4.

            Example:
              keywedge catalog import products.csv --map name=Artikel --currency EUR
              { psql -qc "COPY (SELECT …) TO STDOUT CSV HEADER" && echo END; } |
                keywedge catalog import - --whole --end-line END --max-change 20%
            """)

    @Argument(
        help: "The CSV file; comma, semicolon or tab; - is standard input.")
    var file: String

    @Option(
        help: ArgumentHelp(
            "The column that holds a field, as name=Artikel; may be repeated.",
            valueName: "field=column"), transform: ColumnMapping.reading)
    var map: [ColumnMapping] = []

    @Option(help: "The currency of prices that name none (ISO 4217); else the configured one.")
    var currency: Currency?

    @Flag(help: "Import the valid rows although others are invalid.")
    var skipInvalid = false

    @Flag(help: "With --skip-invalid: exit with 3 if a row was skipped.")
    var strict = false

    @OptionGroup var reading: ImportReadingOptions

    @OptionGroup var limits: ImportLimitOptions

    @OptionGroup var waitOption: WaitOption

    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption

    func validate() throws {
        guard !limits.whole || !skipInvalid else {
            throw ValidationError(
                "--whole and --skip-invalid: the products of invalid rows would go; expected one")
        }
        guard !limits.whole || limits.endLine != nil || PipedFile.hasAnEnd(file) else {
            throw ValidationError(
                "--whole from a pipe needs --end-line: a pipe that is cut would take the rest away")
        }
    }

    func run() async throws {
        let configuration = try configurationOption.load()
        let path = try catalogOption.file(of: configuration)
        var options = ImportOptions(
            mappings: map,
            currency: currency ?? configuration.catalog.currency.flatMap { Currency($0) },
            skipsInvalidRows: skipInvalid)
        reading.apply(to: &options)
        limits.apply(to: &options)
        let summary = try importFile(to: path, options: options)
        if summary.movedCodes > 0 {
            // Lookups of these codes find the new ids from now on.
            StandardError.write(
                "keywedge: \(name): \(summary.movedCodes.counted("code")) of other products "
                    + "\(limits.dryRun ? "would go" : "went") to ids of the file")
            if !limits.dryRun {
                for example in summary.changes.movedCodes { StandardError.write(example) }
            }
        }
        if let first = summary.newShops.first {
            // A shop whose name is mistyped is a new one.
            let count = summary.newShops.count.counted("new shop")
            let others = summary.newShops.count > 1 ? "the first is " : ""
            StandardError.write("keywedge: \(name): \(count), \(others)\(first.quoted())")
        }
        StandardError.write("keywedge: \(name): \(sentence(summary))")
        if limits.dryRun { limits.tell(summary.changes) }
        if strict, summary.skipped > 0 { throw ExitCode(Ending.Code.rejected) }
    }

    private func sentence(_ summary: ImportSummary) -> String {
        var parts = [
            "\(summary.added) added", "\(summary.updated) updated",
            "\(summary.unchanged) unchanged", "\(summary.skipped) skipped",
        ]
        if limits.whole { parts.append("\(summary.removed) removed") }
        if summary.leftOut > 0 || !reading.only.isEmpty {
            parts.append("\(summary.leftOut) left out")
        }
        return parts.joined(separator: ", ") + (limits.dryRun ? "; nothing was imported" : "")
    }

    /// What messages call the file.
    private var name: String { file == "-" ? "standard input" : Escaping.line.escaped(file) }

    private func importFile(to path: String, options: ImportOptions) throws -> ImportSummary {
        var report = ImportReport(name: name)
        var hasSucceeded = false
        let isNew = access(path, F_OK) != 0
        defer {
            // An empty catalog would answer that nothing is known, as if it had been filled. While this
            // import read its file, another one may have filled it.
            if isNew, !hasSucceeded || limits.dryRun,
                (try? CatalogFile(path: path).count()) == 0
            {
                for end in ["", "-wal", "-shm"] { unlink(path + end) }
            }
        }
        do {
            let catalog = try CatalogFile(
                path: path, access: .writing, busyTimeout: waitOption.time)
            let summary = try importFile(into: catalog, options: options) { event in
                if case .progress = event { try Task.checkCancellation() }
                report.add(event)
            }
            hasSucceeded = true
            report.finish()
            report.sayNotes()
            return summary
        } catch {
            report.finish()
            if let error = error as? ExcessiveChange {
                StandardError.write("keywedge: \(error)")
                throw ExitCode(Ending.Code.heldBack)
            }
            // Whatever failed then: a cancelled import does not wait for a lock any more, for instance.
            guard Task.isCancelled else { throw Failure.unlessCancelled(error) }
            StandardError.write("keywedge: \(name): interrupted; nothing was imported")
            throw CancellationError()
        }
    }

    private func importFile(
        into catalog: CatalogFile, options: ImportOptions,
        report: (ImportEvent) throws -> Void
    ) throws -> ImportSummary {
        try file == "-"
            ? catalog.importCSV(descriptor: 0, name: name, options: options, report: report)
            : catalog.importCSV(file, options: options, report: report)
    }
}
