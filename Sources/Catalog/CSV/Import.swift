extension CatalogFile {
    /// Imports a CSV file in one transaction: all or nothing.
    ///
    /// The first line names the columns: the names recognised are those of `CatalogField`, in
    /// several languages, and a column not recognised is an attribute. The delimiter is the one of
    /// comma, semicolon and tab that the header has most of. An empty cell means that the product
    /// has none. With `ImportOptions.isWhole`, products that the file does not mention go, and those
    /// that it mentions for shops alone become the shops' own.
    ///
    /// A row is the product with its id; if it has none, the product that has its first code, in any
    /// spelling. Such a product is updated: what the file has no column for stays, and
    /// products the file does not mention stay as well; a row without an id adds codes and takes
    /// none away. Any other row adds a product, whose id is its first code if it has none. Two rows
    /// of a file cannot be the same product.
    @discardableResult
    package func importCSV(
        _ path: String, options: ImportOptions = ImportOptions(),
        report: (ImportEvent) throws -> Void = { _ in }
    ) throws -> ImportSummary {
        try importCSV(ByteInput(path: path), options: options, report: report)
    }

    /// Imports what comes from an open file, a pipe for instance.
    ///
    /// The caller closes it; `name` is what messages call it.
    @discardableResult
    package func importCSV(
        descriptor: Int32, name: String, options: ImportOptions = ImportOptions(),
        report: (ImportEvent) throws -> Void = { _ in }
    ) throws -> ImportSummary {
        try importCSV(
            ByteInput(descriptor: descriptor, name: name), options: options, report: report)
    }

    /// Imports a CSV text in one transaction: all or nothing.
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
            var csv = try CSVImport(input, options: options, report: report)
            do {
                return try write(staging: { try csv.stage($0) }) { db, staging in
                    let summary = try csv.write(staging)
                    guard !options.isTrial else { throw TrialEnd(summary: summary) }
                    return summary
                }
            } catch let trial as TrialEnd {
                return trial.summary
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
    /// So much is done: bytes of the file, in all (nil where not known), and rows.
    case progress(bytes: Int, of: Int?, rows: Int)
    /// A row is invalid.
    case invalid(InvalidRow)
    /// Which column was taken for what; comes first.
    case columns(ColumnUse)
    /// Something of a row was taken otherwise than the file has it; the line the row starts on.
    case note(ImportNote, line: Int)
}

/// What an import did.
package struct ImportSummary: Hashable, Sendable {
    /// Products that were not in the catalog before.
    package var added = 0
    /// Products that have changed.
    package var updated = 0
    /// Products that the file does not have, and that went for it.
    package var removed = 0
    /// Products that were as the file has them.
    package var unchanged = 0
    /// Invalid rows that were left out.
    package var skipped = 0
    /// Rows that only added a price for a time to the product of an earlier row.
    package var further = 0
    /// Rows that did not meet the conditions.
    package var leftOut = 0
    /// What is different in products that were there.
    package var changes = ImportChanges()
    /// Codes that went from other products to an id of the file.
    package var movedCodes = 0
    /// The names of the shops that the catalog did not know before, in order.
    package var newShops: [String] = []

    /// A summary of nothing.
    package init() {}

    /// The rows read, without the header.
    package var rows: Int { added + updated + unchanged + further + skipped + leftOut }
}
