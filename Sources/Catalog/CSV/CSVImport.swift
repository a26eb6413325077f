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
    /// - Throws: `ImportError.invalidRows` at the end unless they are to be skipped.
    mutating func run(
        _ makeWriter: (ColumnMap) throws -> RowWriter
    ) throws -> ImportSummary {
        let writer = try makeWriter(columns)
        let rows = RowInterpreter(columns: columns, currency: options.currency)
        loop: while true {
            switch try reader.next() {
            case .end: break loop
            case .malformed(let line, let reason): try skip(line, reason)
            case .row(let line):
                do {
                    var mended: [MendedCode] = []
                    count(try writer.write(rows.draft(of: reader, mended: &mended)))
                    for code in mended { try report(.mended(code, line: line)) }
                } catch let reason as InvalidRow.Reason {
                    try skip(line, reason)
                }
            }
            if reader.bytesRead != bytesReported { try reportProgress() }
        }
        try reportProgress()
        guard summary.skipped == 0 || options.skipsInvalidRows else {
            throw ImportError.invalidRows(path: input.path, count: summary.skipped)
        }
        return summary
    }

    private mutating func count(_ outcome: RowWriter.Outcome) {
        switch outcome {
        case .added: summary.added += 1
        case .updated: summary.updated += 1
        case .unchanged: summary.unchanged += 1
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
