import GRDB
import WireText

extension CatalogFile {
    /// Imports a CSV file in one transaction: all or nothing.
    ///
    /// The header names the columns: the names recognised are those of `CatalogField`, in several
    /// languages, and a column not recognised is an attribute. An empty cell means that the product has
    /// none. With `ImportOptions.isWhole`, products that the file does not mention go, and those that it
    /// mentions for shops alone become the shops' own.
    ///
    /// A row is the product with its id; if it has none, the product that has its first code, in any
    /// spelling. Such a product is updated: what the file has no column for stays, and products the file
    /// does not mention stay as well; a row without an id adds codes and takes none away. Any other row
    /// adds a product, whose id is its first code if it has none. Two rows of a file cannot be the same
    /// product.
    @discardableResult
    package func importCSV(
        _ path: String, options: ImportOptions = ImportOptions(),
        report: (ImportEvent) throws -> Void = { _ in }
    ) throws -> ImportSummary {
        try importCSV(ByteInput(path: path), options: options, report: report)
    }

    /// Imports what comes from an open file, a pipe for instance, which the caller closes.
    @discardableResult
    package func importCSV(
        descriptor: Int32, name: String, options: ImportOptions = ImportOptions(),
        report: (ImportEvent) throws -> Void = { _ in }
    ) throws -> ImportSummary {
        try importCSV(
            ByteInput(descriptor: descriptor, name: name), options: options, report: report)
    }

    /// Imports a CSV text.
    @discardableResult
    package func importCSV(
        bytes: [UInt8], name: String, options: ImportOptions = ImportOptions(),
        report: (ImportEvent) throws -> Void = { _ in }
    ) throws -> ImportSummary {
        try importCSV(ByteInput(bytes: bytes, name: name), options: options, report: report)
    }

    private func importCSV(
        _ input: ByteInput, options: ImportOptions, report: (ImportEvent) throws -> Void
    ) throws -> ImportSummary {
        try withoutActuallyEscaping(report) { report in
            do {
                var csv = try CSVImport(input, options: options, report: report)
                return try write(staging: { try csv.stage($0) }) { db, staging in
                    let summary = try csv.write(staging)
                    guard !options.isTrial else { throw TrialEnd(summary: summary) }
                    return summary
                }
            } catch let trial as TrialEnd {
                return trial.summary
            } catch var error as ImportError {
                error.path = input.path
                throw error
            }
        }
    }

    /// Takes back what a trial has written.
    private struct TrialEnd: Error {
        let summary: ImportSummary
    }
}

/// What happens while a file is imported.
package enum ImportEvent: Equatable, Sendable {
    /// Bytes read, the file's size (nil if it is not known), and rows.
    case progress(bytes: Int, of: Int?, rows: Int)
    /// A row is invalid.
    case invalid(InvalidRow)
    /// Which column was taken for what, in lines to print; comes first.
    case columns(lines: [String])
    /// Something of a row was taken otherwise than the file has it; the line the row starts on.
    case note(ImportNote, line: Int)
}

/// What an import did.
package struct ImportSummary: Hashable, Sendable {
    /// Products that are new, that have changed, that went since the file does not have them, and that are
    /// as they were.
    package var (added, updated, removed, unchanged) = (0, 0, 0, 0)
    /// Rows that are invalid, that only add a price for a time to the product of an earlier row, and that do
    /// not count.
    package var (skipped, further, leftOut) = (0, 0, 0)
    /// What is different in products that were there.
    package var changes = ImportChanges()
    /// Codes that went from other products to an id of the file.
    package var movedCodes = 0
    /// The names of the shops that the catalog did not know before, in order.
    package var newShops: [String] = []

    /// The rows read, without the header.
    package var rows: Int { added + updated + unchanged + further + skipped + leftOut }
}

/// One import of a CSV file, from the header to the last row.
private struct CSVImport {
    private let input: ByteInput
    private let options: ImportOptions
    private let report: (ImportEvent) throws -> Void
    private var reader: CSVReader
    private var rows: RowInterpreter
    private var summary = ImportSummary()
    private var bytesReported = 0

    /// Reads the header.
    init(
        _ input: ByteInput, options: ImportOptions,
        report: @escaping (ImportEvent) throws -> Void
    ) throws {
        (self.input, self.options, self.report) = (input, options, report)
        input.encoding = options.encoding
        reader = try CSVReader(input) { ColumnMap.isHeader($0, mappings: options.mappings) }
        let (names, line) = try Self.header(&reader)
        let columns = try ColumnMap(header: names, mappings: options.mappings)
        rows = try RowInterpreter(columns: columns, options: options)
        try report(.columns(lines: columns.lines(headerLine: line)))
    }

    private static func header(
        _ reader: inout CSVReader
    ) throws -> (names: [String], line: Int) {
        let invalid: InvalidRow
        switch try reader.next() {
        case .end: throw ImportError("is empty; expected a line with the column names.")
        case .malformed(let line, let reason): invalid = InvalidRow(line: line, reason: reason)
        case .row(let line):
            do {
                var names: [String?] = []
                try reader.read(into: &names)
                return (names.map { $0 ?? "" }, line)
            } catch let reason as InvalidRow.Reason {
                invalid = InvalidRow(line: line, reason: reason)
            }
        }
        throw ImportError("has a header that cannot be read. \(words: "\(invalid)")")
    }

    /// Reads all rows and stages the valid ones.
    mutating func stage(_ db: Database) throws -> Staging {
        let staging = try Staging(
            db, Staging.Columns(rows.columns), scope: options.scope, isWhole: options.isWhole)
        var hasEnded = false
        reading: while true {
            switch try reader.next() {
            case .end: break reading
            case .malformed where hasEnded, .row where hasEnded:
                throw ImportError(
                    "was not imported: lines follow the one that says it is whole; expected it last."
                )
            case .malformed(let line, let reason): try skip(InvalidRow(line: line, reason: reason))
            case .row where isEndLine: hasEnded = true
            case .row(let line): try stage(line, staging)
            }
            if reader.bytesRead != bytesReported { try reportProgress(staging) }
        }
        try reportProgress(staging)
        if let endLine = options.endLine, !hasEnded {
            throw ImportError(
                "was not imported: it was cut short; expected \(quoted: endLine) as its last line.")
        }
        let notation = rows.notation
        for row in try staging.decidePrices({ try? notation.price(reading: $0, in: $1) }) {
            try skip(row)
        }
        return staging
    }

    private mutating func stage(_ line: Int, _ staging: Staging) throws {
        do {
            if let draft = try rows.draft(of: reader) {
                try staging.add(draft, line: line)
            } else {
                summary.leftOut += 1
            }
            for note in rows.notes { try report(.note(note, line: line)) }
        } catch let reason as InvalidRow.Reason {
            try skip(InvalidRow(line: line, reason: reason))
        }
    }

    /// Whether the row just read is the line that says that the file is whole.
    private var isEndLine: Bool {
        guard let endLine = options.endLine else { return false }
        return reader.fields.count == 1 && reader.text(0) == endLine
    }

    /// Writes the staged rows into the catalog, unless that would change more than it may; in a trial,
    /// only says what would become of them.
    mutating func write(_ staging: Staging) throws -> ImportSummary {
        for row in try staging.resolve(refusingMovedCodes: options.movedCodes == .refuse) {
            try skip(row)
        }
        guard summary.skipped == 0 || options.skipsInvalidRows else {
            let rows = summary.skipped.counted("row is", "rows are")
            throw ImportError("was not imported: \(words: rows) invalid.")
        }
        try staging.compare()
        try reportProgress(staging)
        var summary = try staging.summary()
        (summary.skipped, summary.leftOut) = (self.summary.skipped, self.summary.leftOut)
        guard !options.isTrial else { return summary }
        try checkLimits(summary.changes)
        try staging.apply()
        try reportProgress(staging)
        return summary
    }

    private func checkLimits(_ changes: ImportChanges) throws {
        let isLoss = options.changeLimit == nil
        let moved = options.movedCodes == .take ? changes.counts[.codeMoved] ?? 0 : 0
        let counted = (isLoss ? changes.lossCount : changes.count) - moved
        guard let limit = options.changeLimit ?? options.lossLimit,
            !limit.allows(counted, of: changes.before)
        else { return }
        throw ExcessiveChange(path: input.path, changes: changes, limit: limit, isLoss: isLoss)
    }

    private mutating func skip(_ row: InvalidRow) throws {
        summary.skipped += 1
        try report(.invalid(row))
    }

    private mutating func reportProgress(_ staging: Staging) throws {
        bytesReported = reader.bytesRead
        let rows = staging.rowCount + summary.skipped + summary.leftOut
        try report(.progress(bytes: bytesReported, of: input.size, rows: rows))
    }
}
