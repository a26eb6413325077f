import GRDB

/// One import of a CSV file, from the header to the last row.
struct CSVImport {
    private let input: ByteInput
    private let options: ImportOptions
    private let report: (ImportEvent) throws -> Void
    private var reader: CSVReader
    private let columns: ColumnMap
    private var rows: RowInterpreter
    private var summary = ImportSummary()
    private var bytesReported = 0

    /// Reads the header.
    init(
        _ input: ByteInput, options: ImportOptions,
        report: @escaping (ImportEvent) throws -> Void
    ) throws {
        self.input = input
        self.options = options
        self.report = report
        input.encoding = options.encoding
        reader = try CSVReader(input) { ColumnMap.isHeader($0, mappings: options.mappings) }
        let (columns, line) = try Self.columns(&reader, options: options, path: input.path)
        self.columns = columns
        rows = RowInterpreter(columns: columns, options: options)
        try report(.columns(ColumnUse(columns, headerLine: line)))
    }

    private static func columns(
        _ reader: inout CSVReader, options: ImportOptions, path: String
    ) throws -> (ColumnMap, line: Int) {
        let header: Int
        switch try reader.next() {
        case .end: throw ImportError.empty(path: path)
        case .malformed(let line, let reason):
            throw ImportError.header(path: path, InvalidRow(line: line, reason: reason))
        case .row(let line): header = line
        }
        var names: [String] = []
        for index in reader.fields.indices {
            guard let name = reader.text(index) else {
                if let likely = reader.likelyEncoding {
                    throw ImportError.notUTF8(path: path, likely: likely)
                }
                let byte = reader.firstInvalidByte(index)
                let reason = InvalidRow.Reason.notUTF8(column: "\(index + 1)", byte: byte)
                throw ImportError.header(path: path, InvalidRow(line: header, reason: reason))
            }
            guard !name.utf8.contains(0) else {
                let reason = InvalidRow.Reason.nulCharacter(column: "\(index + 1)")
                throw ImportError.header(path: path, InvalidRow(line: header, reason: reason))
            }
            names.append(name)
        }
        return (try ColumnMap(header: names, mappings: options.mappings, path: path), header)
    }

    /// Reads all rows and stages the valid ones.
    mutating func stage(_ db: Database) throws -> Staging {
        let staging = try Staging(
            db, Staging.Columns(columns), scope: options.scope, isWhole: options.isWhole)
        var filter = try RowFilter(options.conditions, columns: columns, path: input.path)
        var hasEnded = false
        while true {
            let step = try reader.next()
            guard step != .end else { break }
            guard !hasEnded else { throw ImportError.behindEnd(path: input.path) }
            switch step {
            case .end: break
            case .malformed(let line, let reason): try skip(InvalidRow(line: line, reason: reason))
            case .row where isEndLine: hasEnded = true
            case .row where !filter.admits(reader): summary.leftOut += 1
            case .row(let line): try stage(line, staging)
            }
            if reader.bytesRead != bytesReported { try reportProgress(staging) }
        }
        try reportProgress(staging)
        if let endLine = options.endLine, !hasEnded {
            throw ImportError.cutShort(path: input.path, expected: endLine)
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
            throw ImportError.invalidRows(path: input.path, count: summary.skipped)
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
        let takesCodes = options.movedCodes == .take
        let counted =
            (isLoss ? changes.lossCount : changes.count)
            - (takesCodes ? changes.counts[.codeMoved] ?? 0 : 0)
        guard let limit = options.changeLimit ?? options.lossLimit,
            !limit.allows(counted, of: changes.before)
        else { return }
        throw ExcessiveChange(path: input.path, changes: changes, limit: limit, isLoss: isLoss)
    }

    private mutating func skip(_ row: InvalidRow) throws {
        if case .notUTF8 = row.reason, let likely = reader.likelyEncoding {
            throw ImportError.notUTF8(path: input.path, likely: likely)
        }
        summary.skipped += 1
        try report(.invalid(row))
    }

    private mutating func reportProgress(_ staging: Staging) throws {
        bytesReported = reader.bytesRead
        let rows = staging.rowCount + summary.skipped + summary.leftOut
        try report(.progress(bytes: bytesReported, of: input.size, rows: rows))
    }
}
