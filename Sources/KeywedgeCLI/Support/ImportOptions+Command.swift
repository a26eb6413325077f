import ArgumentParser
package import Catalog
import Foundation
import Glibc
import WireText

/// How `catalog import` reads a file.
struct ImportReadingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How the file writes its letters, by a name that iconv knows; else UTF-8.",
            valueName: "name"), transform: TextEncoding.reading)
    var encoding: TextEncoding?

    @Option(
        help: ArgumentHelp(
            "The sign ahead of the decimals of a price; else learned from the file.",
            valueName: "comma|point"))
    var decimal: DecimalMark?

    @Flag(help: "Leave codes without the zeros that a spreadsheet has probably dropped.")
    var keepCodes = false

    @Option(
        help: ArgumentHelp(
            "Take only rows whose column holds a value, as Type=simple; may be repeated.",
            valueName: "column=value"))
    var only: [RowCondition] = []

    @Option(
        help: ArgumentHelp(
            "The time zone of valid_from and valid_until without an offset, as Europe/Berlin.",
            valueName: "name"), transform: TimeZoneArgument.reading)
    var timeZone: TimeZoneArgument?

    @Option(
        help: ArgumentHelp(
            "The shop that all rows are of: its assortment and its prices.", valueName: "name"),
        transform: CatalogScope.reading)
    var scope: CatalogScope?

    func apply(to options: inout ImportOptions) {
        options.scope = scope
        options.timeZone = timeZone?.zone
        options.encoding = encoding ?? .utf8
        options.decimalMark = decimal
        options.keepsCodes = keepCodes
        options.conditions = only
    }
}

/// What keeps `catalog import` from taking too much away.
struct ImportLimitOptions: ParsableArguments {
    @Flag(help: "The file has all products: those it does not have go.")
    var whole = false

    @Option(
        help: ArgumentHelp(
            "The line that must be the last one, so that a pipe that was cut imports nothing.",
            valueName: "text"))
    var endLine: String?

    @Option(
        help: ArgumentHelp(
            """
            How many of the products there were may change or go; without it any number may \
            change, and 20% go, or lose their price, their name or their codes.
            """, valueName: "share"), transform: ChangeLimit.reading)
    var maxChange: ChangeLimit?

    @Option(
        help: ArgumentHelp(
            """
            What to do if an id of the file has a code of a product that the file does not name: \
            take the code from it, or refuse the row; without it the code is taken, and counted as \
            a loss.
            """, valueName: "take|refuse"))
    var movedCodes: MovedCodes?

    @Flag(help: "Say what would change, and import nothing.")
    var dryRun = false

    func validate() throws {
        guard endLine != "" else {
            throw ValidationError("--end-line: expected a text, found nothing")
        }
    }

    func apply(to options: inout ImportOptions) {
        options.isWhole = whole
        options.endLine = endLine
        options.changeLimit = maxChange
        options.lossLimit = .standard
        options.movedCodes = movedCodes
        options.isTrial = dryRun
    }

    /// Says what an import would change.
    func tell(_ changes: ImportChanges) {
        let lines = [
            "of \(changes.before) \(changes.things) \(changes.count) would change or go: \(changes.sentence)"
        ]
        StandardError.write((lines + changes.examples).joined(separator: "\n"))
    }
}

/// A file to import whose end may come too early.
enum PipedFile {
    /// Whether the end of a file is that of its content: a pipe also ends if its writer dies early.
    static func hasAnEnd(_ file: String) -> Bool {
        var status = stat()
        guard (file == "-" ? fstat(0, &status) : stat(file, &status)) == 0 else { return true }
        return status.st_mode & S_IFMT == S_IFREG
    }
}

/// A time zone by its name in the IANA database.
struct TimeZoneArgument: DescribedArgument {
    static var expected: String { "UTC or a name with its area, as Europe/Berlin" }

    let zone: TimeZone

    init?(argument: String) {
        // An abbreviation such as EST says nothing of summer time.
        guard argument == "UTC" || argument.contains("/"),
            let zone = TimeZone(identifier: argument)
        else { return nil }
        self.zone = zone
    }
}

extension ChangeLimit: DescribedArgument {
    static var expected: String { "a share from 0% to 100%, as 20% or 0.5%" }

    /// Reads a share as `20%`.
    package init?(argument: String) { self.init(argument) }
}

extension MovedCodes: ExpressibleByArgument {}

extension RowCondition: ExpressibleByArgument {
    /// Reads a condition as `Type=simple`.
    package init?(argument: String) { self.init(argument) }
}

extension TextEncoding: DescribedArgument {
    static var expected: String { "an encoding that iconv -l lists, as windows-1252 or GB18030" }

    /// Reads the name of an encoding.
    package init?(argument: String) { self.init(named: argument) }
}

extension DecimalMark: ExpressibleByArgument {}
