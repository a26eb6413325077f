/// One import of a CSV file, from the header to the last row.
struct CSVImport {
    private let input: ByteInput
    private let options: ImportOptions
    private let report: (ImportEvent) throws -> Void
    private var reader: CSVReader
    private let columns: ColumnMap
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
        reader = try CSVReader(input)
        columns = try Self.columns(&reader, options: options, path: input.path)
    }

    private static func columns(
        _ reader: inout CSVReader, options: ImportOptions, path: String
    ) throws -> ColumnMap {
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
        return try ColumnMap(header: names, mappings: options.mappings, path: path)
    }

    /// Reads all rows and hands the valid ones on.
    ///
    /// - Parameter makeWriter: Makes what writes rows, once the columns are known.
    /// - Returns: What became of the rows.
    /// - Throws: `ImportError.invalidRows` at the end unless they are to be skipped, `.cutShort`,
    ///   ``ExcessiveChange``.
    mutating func run(
        _ makeWriter: (ColumnMap) throws -> RowWriter
    ) throws -> ImportSummary {
        let writer = try makeWriter(columns)
        let filter = try RowFilter(options.conditions, columns: columns, path: input.path)
        let rows = RowInterpreter(
            columns: columns, currency: options.currency, zone: options.timeZone,
            scope: options.scope)
        var hasEnded = false
        while true {
            let step = try reader.next()
            guard step != .end else { break }
            guard !hasEnded else { throw ImportError.behindEnd(path: input.path) }
            switch step {
            case .end: break
            case .malformed(let line, let reason): try skip(line, reason)
            case .row where isEndLine: hasEnded = true
            case .row where !filter.admits(reader): summary.leftOut += 1
            case .row(let line): try take(line, rows, writer)
            }
            if reader.bytesRead != bytesReported { try reportProgress() }
        }
        try reportProgress()
        try checkEnd(hasEnded)
        return try finish(writer)
    }

    private mutating func take(
        _ line: Int, _ rows: RowInterpreter, _ writer: RowWriter
    ) throws {
        do {
            var mended: [MendedCode] = []
            count(try writer.write(rows.draft(of: reader, mended: &mended)))
            for code in mended { try report(.mended(code, line: line)) }
        } catch let reason as InvalidRow.Reason {
            try skip(line, reason)
        }
    }

    /// Whether the row just read is the line that says that the file is whole.
    private var isEndLine: Bool {
        guard let endLine = options.endLine else { return false }
        return reader.fields.count == 1 && reader.text(0) == endLine
    }

    private func checkEnd(_ hasEnded: Bool) throws {
        if let endLine = options.endLine, !hasEnded {
            throw ImportError.cutShort(path: input.path, expected: endLine)
        }
        guard summary.skipped == 0 || options.skipsInvalidRows else {
            throw ImportError.invalidRows(path: input.path, count: summary.skipped)
        }
    }

    /// Takes away what a whole file does not have, and looks whether it is too much.
    private mutating func finish(_ writer: RowWriter) throws -> ImportSummary {
        try writer.writeDatedPrices()
        // Several rows may have changed one product.
        summary.updated = writer.updatedCount
        summary.unchanged = writer.metCount - summary.updated
        if options.isWhole { summary.removed = try writer.removeOthers() }
        summary.changes = writer.allNoted
        summary.newShops = try writer.newShops()
        // A trial tells how much it would be.
        if !options.isTrial { try checkLimits(summary.changes) }
        return summary
    }

    private func checkLimits(_ changes: ImportChanges) throws {
        let isLoss = options.changeLimit == nil
        guard let limit = options.changeLimit ?? options.lossLimit,
            !limit.allows(isLoss ? changes.lossCount : changes.count, of: changes.before)
        else { return }
        throw ExcessiveChange(path: input.path, changes: changes, limit: limit, isLoss: isLoss)
    }

    private mutating func count(_ outcome: RowWriter.Outcome) {
        switch outcome {
        case .added: summary.added += 1
        case .updated: summary.updated += 1
        case .unchanged: summary.unchanged += 1
        case .further: summary.further += 1
        }
    }

    private mutating func skip(_ line: Int, _ reason: InvalidRow.Reason) throws {
        summary.skipped += 1
        try report(.invalid(InvalidRow(line: line, reason: reason)))
    }

    private mutating func reportProgress() throws {
        bytesReported = reader.bytesRead
        try report(.progress(bytes: bytesReported, of: input.size, rows: summary.rows))
    }
}
