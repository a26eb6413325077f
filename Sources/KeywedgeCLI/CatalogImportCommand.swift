import ArgumentParser
import Catalog
import Foundation
import Glibc
import KeywedgeConfiguration
import WireText

struct CatalogImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import products from a CSV file, all or nothing.",
        discussion: """
            Recognises columns by their names, in several languages and in the exports of many \
            shop systems; every other column becomes an attribute. Prints which column it uses for \
            which field, and stops if the price column is not clear. Updates products that already \
            exist. Repairs codes that a spreadsheet turned into numbers, unless they lost digits \
            (4.00638E+12). An import that would remove or change more than --max-change allows \
            changes nothing: it prints what it would do, and exits with 4.
            """,
        examples: "keywedge catalog import products.csv --map name=Artikel --currency EUR",
        "{ psql -qc \"COPY (SELECT …) TO STDOUT CSV HEADER\" && echo END; } |",
        "  keywedge catalog import - --whole --end-line END --max-change 20%")

    private static let fields = CatalogField.allCases.map(\.rawValue).joined(separator: ", ")

    @Argument(
        help: "The CSV file, with comma, semicolon or tab; - is standard input.",
        completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp(
            "The column that holds a field, such as name=Artikel, for \(fields); may be repeated.",
            valueName: "field=column"),
        transform: parser(
            expecting: "FIELD=COLUMN, such as name=Artikel, with one of the fields \(fields)"
        ) { ColumnMapping($0) })
    var map: [ColumnMapping] = []

    @Option(
        help: "The currency of prices without one (ISO 4217); by default the configured one.",
        transform: parser(expecting: "a currency's three letters (ISO 4217), such as EUR") {
            Currency($0)
        })
    var currency: Currency?

    @Flag(help: "Import the valid rows even if others are invalid.")
    var skipInvalid = false

    @Flag(help: "With --skip-invalid: exit with 3 if a row was skipped.")
    var strict = false

    @Option(
        help: "The character encoding of the file, by a name that iconv knows; by default UTF-8.",
        transform: parser(
            expecting: "an encoding that iconv -l lists, such as windows-1252 or GB18030"
        ) { TextEncoding(named: $0) })
    var encoding: TextEncoding?

    @Option(
        help: ArgumentHelp(
            "The decimal separator of prices; by default learned.", valueName: "comma|point"))
    var decimal: DecimalMark?

    @Flag(help: "Do not restore zeros that a spreadsheet has probably dropped from codes.")
    var keepCodes = false

    @Option(
        help: ArgumentHelp(
            "Import only rows whose column has a value, such as Type=simple; may be repeated.",
            valueName: "column=value"),
        transform: parser(expecting: "COLUMN=VALUE, such as Type=simple") { RowCondition($0) })
    var only: [RowCondition] = []

    @Option(
        help:
            "The time zone of valid_from and valid_until without an offset, such as Europe/Berlin.",
        transform: parser(expecting: "UTC or a name with its area, as Europe/Berlin") {
            // An abbreviation such as EST does not define summer time.
            $0 == "UTC" || $0.contains("/") ? TimeZone(identifier: $0) : nil
        })
    var timeZone: TimeZone?

    @Option(
        help: "The shop whose products and prices are in it.", transform: CatalogScope.reading)
    var scope: CatalogScope?

    @Flag(help: "The file contains all products: remove the others.")
    var whole = false

    @Option(
        help: ArgumentHelp(
            "The expected last line, so that a broken pipe imports nothing.", valueName: "text"))
    var endLine: String?

    @Option(
        help: """
            The share of existing products that may change or be removed; without it any number \
            may change, and 20% may be removed or lose their price, name or codes.
            """,
        transform: parser(expecting: "a share from 0% to 100%, as 20% or 0.5%") { ChangeLimit($0) })
    var maxChange: ChangeLimit?

    @Option(
        help: ArgumentHelp(
            """
            If a row has a code of a product that the file does not name: take the code without \
            counting a loss, or refuse the row.
            """, valueName: "take|refuse"))
    var movedCodes: MovedCodes?

    @Flag(help: "Print what would change without importing.")
    var dryRun = false

    @OptionGroup var waitOption: WaitOption
    @OptionGroup var formatOption: ObjectFormatOption
    @OptionGroup var configurationOption: ConfigurationOption
    @OptionGroup var catalogOption: CatalogOption

    func validate() throws {
        try require(endLine != "", "--end-line: expected a text, found nothing")
        try require(
            !whole || !skipInvalid,
            "--whole and --skip-invalid: the products of invalid rows would go; expected one")
        try require(
            !whole || endLine != nil || hasAnEnd,
            "--whole from a pipe needs --end-line: a pipe that is cut would take the rest away")
    }

    /// Whether the input is a regular file, which, unlike a pipe, cannot be cut off; true if `stat` fails.
    private var hasAnEnd: Bool {
        var status = stat()
        guard (file == "-" ? fstat(0, &status) : stat(file, &status)) == 0 else { return true }
        return status.st_mode & S_IFMT == S_IFREG
    }

    func run() async throws {
        let configuration = try configurationOption.load()
        let path = try catalogOption.file(of: configuration)
        let currency = currency ?? configuration.catalog.currency.flatMap { Currency($0) }
        let summary = try importFile(to: path, options: options(currency))
        let (quiet, changes) = (configurationOption.quiet, summary.changes)
        if summary.movedCodes > 0 {
            // Tell the user, because lookups of these codes now find other products.
            quiet.say(
                "\(name): \(summary.movedCodes.counted("code")) of other products "
                    + "\(dryRun ? "would go" : "went") to ids of the file")
            if !dryRun { changes.movedCodes.forEach(quiet.say) }
        }
        if let first = summary.newShops.first {
            // A mistyped shop name would silently add a new shop.
            let count = summary.newShops.count.counted("new shop")
            let others = summary.newShops.count > 1 ? "the first is " : ""
            quiet.say("\(name): \(count), \(others)\(first.quoted())")
        }
        try formatOption.report(object(summary, path), "\(name): \(sentence(summary))", quiet)
        if dryRun {
            let line =
                "of \(changes.before) \(changes.things) \(changes.count) would change or go: "
                + "\(changes.sentence)"
            StandardError.write(([line] + changes.examples).joined(separator: "\n"))
        }
        if strict, summary.skipped > 0 { throw ExitCode(Ending.Code.rejected) }
    }

    private func options(_ currency: Currency?) -> ImportOptions {
        var options = ImportOptions(
            mappings: map, currency: currency, skipsInvalidRows: skipInvalid)
        options.scope = scope
        options.timeZone = timeZone
        options.encoding = encoding ?? .utf8
        options.decimalMark = decimal
        options.keepsCodes = keepCodes
        options.conditions = only
        options.isWhole = whole
        options.endLine = endLine
        options.changeLimit = maxChange
        options.lossLimit = .standard
        options.movedCodes = movedCodes
        options.isTrial = dryRun
        return options
    }

    private func sentence(_ summary: ImportSummary) -> String {
        let parts = [
            "\(summary.added) added", "\(summary.updated) updated",
            "\(summary.unchanged) unchanged", "\(summary.skipped) skipped",
            whole ? "\(summary.removed) removed" : nil,
            summary.leftOut > 0 || !only.isEmpty ? "\(summary.leftOut) left out" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
            + (dryRun ? "; nothing was imported" : "")
    }

    private func object(_ summary: ImportSummary, _ catalog: String) -> JSONObject {
        func number(_ count: Int) -> JSONValue { .integer(Int64(count)) }
        return [
            "file": .string(file), "catalog": .string(catalog), "added": number(summary.added),
            "updated": number(summary.updated), "unchanged": number(summary.unchanged),
            "skipped": number(summary.skipped), "removed": number(summary.removed),
            "left_out": number(summary.leftOut), "moved_codes": number(summary.movedCodes),
            "new_shops": .array(summary.newShops.map(JSONValue.string)), "dry_run": .bool(dryRun),
        ]
    }

    private var name: String { file == "-" ? "standard input" : Escaping.line.escaped(file) }

    private func importFile(to path: String, options: ImportOptions) throws -> ImportSummary {
        var report = ImportReport(name: name, quiet: configurationOption.quiet)
        var hasSucceeded = false
        let isNew = access(path, F_OK) != 0
        defer {
            // Remove the new, empty catalog, because lookups would answer that no product exists. Keep it if another
            // import has filled it in the meantime.
            if isNew, !hasSucceeded || dryRun, (try? CatalogFile(path: path).count()) == 0 {
                for end in ["", "-wal", "-shm"] { unlink(path + end) }
            }
        }
        do {
            let catalog = try CatalogFile(
                path: path, access: .writing, busyTimeout: waitOption.wait)
            let isInput = file == "-"
            let summary = try catalog.importCSV(
                isInput ? name : file, descriptor: isInput ? 0 : nil, options: options
            ) { event in
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
                StandardError.write("\(error)")
                throw ExitCode(Ending.Code.heldBack)
            }
            // Errors after a cancellation are its consequence; for example, the import stops waiting for a lock.
            guard Task.isCancelled else { throw error }
            StandardError.write("\(name): interrupted; nothing was imported")
            throw CancellationError()
        }
    }
}
