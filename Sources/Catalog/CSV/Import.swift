import GRDB
import WireText

extension CatalogFile {
    /// Imports a CSV file, or the data from an open descriptor, in one transaction: either completely or not at all.
    ///
    /// A row with an id describes the product with that id. A row without an id describes the product that has the
    /// row's first code, in any spelling; such a row can add codes but not remove them. If no such product exists, the
    /// row creates it, and uses its own first code as the id if it has none.
    ///
    /// A column that is not recognised becomes an attribute. An empty cell removes the product's value; a value without
    /// a column in the file stays. With `ImportOptions.isWhole`, products that the file does not mention are removed,
    /// and a product that it mentions only for certain shops is no longer sold by the others.
    @discardableResult
    package func importCSV(
        _ path: String, descriptor: Int32? = nil, options: ImportOptions = ImportOptions(),
        report: (ImportEvent) throws -> Void = { _ in }
    ) throws -> ImportSummary {
        try withoutActuallyEscaping(report) { report in
            do {
                let input = try ByteInput(
                    path: path, descriptor: descriptor, encoding: options.encoding)
                var csv = try CSVImport(input, options: options, report: report)
                return try write(staging: { try csv.stage($0) }) { try csv.write($1) }
            } catch var error as ImportError {
                error.path = path
                throw error
            }
        }
    }
}

package enum ImportEvent: Equatable, Sendable {
    /// How many bytes and rows have been read so far; `of` is the file's size, nil if it is unknown.
    case progress(bytes: Int, of: Int?, rows: Int)
    case invalid(InvalidRow)
    /// The first event: lines that tell the user how each column is used.
    case columns(lines: [String])
    /// The import changed a value on this line, or left the row out.
    case note(ImportNote, line: Int)
}

package struct ImportSummary: Hashable, Sendable {
    package var (added, updated, removed, unchanged) = (0, 0, 0, 0)
    /// How many rows are invalid (`skipped`), only add a dated price to an earlier row's product (`further`), or are
    /// left out, such as totals (`leftOut`).
    package var (skipped, further, leftOut) = (0, 0, 0)
    package var changes = ChangeSummary()
    /// How many codes move from products outside the file to products in it.
    package var movedCodes = 0
    package var newShops: [String] = []

    package init() {}

    package var rows: Int { added + updated + unchanged + further + skipped + leftOut }
}

private struct CSVImport {
    private let input: ByteInput
    private let options: ImportOptions
    private let report: (ImportEvent) throws -> Void
    private var reader: CSVReader
    private var rows: RowInterpreter
    private var (skipped, leftOut, bytesReported) = (0, 0, 0)
    /// Whether the line `ImportOptions.endLine` has been read.
    private var hasEnded = false

    init(
        _ input: ByteInput, options: ImportOptions,
        report: @escaping (ImportEvent) throws -> Void
    ) throws {
        (self.input, self.options, self.report) = (input, options, report)
        reader = try CSVReader(input) { ColumnMap.isHeader($0, mappings: options.mappings) }
        var names: [String?] = []
        do {
            guard try reader.next() else {
                throw ImportError("is empty; expected a line with the column names.")
            }
            try reader.read(into: &names)
        } catch let reason as InvalidRow.Reason {
            throw ImportError(
                "has a header that cannot be read. Line \(reader.rowLine): \(words: "\(reason)")")
        }
        let columns = try ColumnMap(header: names.map { $0 ?? "" }, mappings: options.mappings)
        rows = try RowInterpreter(columns: columns, options: options)
        try report(.columns(lines: columns.lines(headerLine: reader.rowLine)))
    }

    mutating func stage(_ db: Database) throws -> Staging {
        let staging = try Staging(
            db, rows.columns, scope: options.scope, isWhole: options.isWhole)
        while try stageRow(staging) {
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

    private mutating func stageRow(_ staging: Staging) throws -> Bool {
        do {
            guard try reader.next() else { return false }
            try checkEnd()
            if reader.fields.count == 1, let endLine = options.endLine, reader.text(0) == endLine {
                hasEnded = true
                return true
            }
            if let draft = try rows.draft(of: reader) {
                try staging.add(draft, line: reader.rowLine)
            } else {
                leftOut += 1
            }
            for note in rows.notes { try report(.note(note, line: reader.rowLine)) }
        } catch let reason as InvalidRow.Reason {
            try checkEnd()
            try skip(InvalidRow(line: reader.rowLine, reason: reason))
        }
        return true
    }

    private func checkEnd() throws {
        guard hasEnded else { return }
        throw ImportError(
            "was not imported: lines follow the one that says it is whole; expected it last.")
    }

    /// Checks and writes the staged rows; in a trial, writes nothing.
    mutating func write(_ staging: Staging) throws -> ImportSummary {
        for row in try staging.resolve(refusingMovedCodes: options.movedCodes == .refuse) {
            try skip(row)
        }
        guard skipped == 0 || options.skipsInvalidRows else {
            let rows = skipped.counted("row is", "rows are")
            throw ImportError("was not imported: \(words: rows) invalid.")
        }
        try staging.compare()
        try reportProgress(staging)
        var summary = try staging.summary()
        (summary.skipped, summary.leftOut) = (skipped, leftOut)
        guard !options.isTrial else { return summary }
        try checkLimits(summary.changes)
        try staging.apply()
        try reportProgress(staging)
        return summary
    }

    private func checkLimits(_ changes: ChangeSummary) throws {
        guard let limit = options.changeLimit ?? options.lossLimit else { return }
        let isLoss = options.changeLimit == nil
        let moved = options.movedCodes == .take ? changes.counts[.codeMoved] ?? 0 : 0
        let counted = (isLoss ? changes.lossCount : changes.count) - moved
        if limit.allows(counted, of: changes.before) { return }
        throw ExcessiveChange(path: input.path, changes: changes, limit: limit, isLoss: isLoss)
    }

    private mutating func skip(_ row: InvalidRow) throws {
        skipped += 1
        try report(.invalid(row))
    }

    private mutating func reportProgress(_ staging: Staging) throws {
        bytesReported = reader.bytesRead
        let rows = staging.rowCount + skipped + leftOut
        try report(.progress(bytes: bytesReported, of: input.size, rows: rows))
    }
}
