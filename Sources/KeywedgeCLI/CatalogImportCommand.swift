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
            that is there already is updated. A code that a spreadsheet has made a number of is \
            mended where nothing of it is lost (4006381333931.0), else its row is invalid \
            (4.00638E+12). Interrupted, it imports nothing. An import that would take away or \
            change more than it may (--max-change) changes nothing, says what it would have, and \
            exits with 4.

            Example:
              keywedge catalog import products.csv --map name=Artikel --currency EUR
              { psql -qc "COPY (SELECT …) TO STDOUT CSV HEADER" && echo END; } |
                keywedge catalog import - --whole --end-line END --max-change 20%
            """)

    @Argument(
        help: "The CSV file, in UTF-8; comma, semicolon or tab; - is standard input.")
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
        let (summary, mended) = try importFile(to: path, options: options)
        if let first = mended.first {
            StandardError.write(
                "keywedge: \(name): \(mended.count.counted("code")) mended, the first in line "
                    + "\(first.line): \(first.code.written.quoted()) taken as "
                    + first.code.meant.quoted())
        }
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
        if !reading.only.isEmpty { parts.append("\(summary.leftOut) left out") }
        return parts.joined(separator: ", ") + (limits.dryRun ? "; nothing was imported" : "")
    }

    /// What messages call the file.
    private var name: String { file == "-" ? "standard input" : Escaping.line.escaped(file) }

    private func importFile(
        to path: String, options: ImportOptions
    ) throws -> (ImportSummary, MendedCodes) {
        var mended = MendedCodes()
        var progress = ProgressBar(isShown: StandardError.isTerminal)
        var hasSucceeded = false
        let isNew = access(path, F_OK) != 0
        defer {
            progress.clear()
            // An empty catalog would answer that nothing is known, as if it had been filled.
            if isNew, !hasSucceeded || limits.dryRun {
                for end in ["", "-wal", "-shm"] { unlink(path + end) }
            }
        }
        let report: (ImportEvent) throws -> Void = { event in
            switch event {
            case .progress(let done, let total, let rows):
                try Task.checkCancellation()
                progress.show(done: done, of: total, note: rows.counted("row"))
            case .invalid(let row):
                progress.clear()
                StandardError.write("\(name):\(row.line): \(row.reason)")
            case .mended(let code, let line):
                mended.count += 1
                mended.first = mended.first ?? (code, line)
            }
        }
        do {
            let catalog = try EmbeddedCatalog(
                path: path, access: .writing, busyTimeout: waitOption.time)
            let summary =
                file == "-"
                ? try catalog.importCSV(descriptor: 0, name: name, options: options, report: report)
                : try catalog.importCSV(file, options: options, report: report)
            hasSucceeded = true
            return (summary, mended)
        } catch let error as ExcessiveChange {
            progress.clear()
            StandardError.write("keywedge: \(error)")
            throw ExitCode(Ending.Code.heldBack)
        } catch {
            // Whatever it was that failed then: a lock is not waited for any more, for instance.
            guard Task.isCancelled else { throw Failure.unlessCancelled(error) }
            progress.clear()
            StandardError.write("keywedge: \(name): interrupted; nothing was imported")
            throw CancellationError()
        }
    }
}

/// The codes of a file that spreadsheets had damaged.
private struct MendedCodes {
    /// How many there were.
    var count = 0
    /// The first of them, and its line.
    var first: (code: MendedCode, line: Int)?
}
