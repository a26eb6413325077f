/// Which rows count.
struct RowFilter {
    private let conditions: [(column: Int, value: String)]
    private let group: Int?
    /// The article of the last row that says something about the conditions, and whether it counts.
    private var last: (group: String, counts: Bool)?

    /// Finds the columns of conditions.
    init(_ conditions: [RowCondition], columns: ColumnMap, path: String) throws(ImportError) {
        var found: [(column: Int, value: String)] = []
        for condition in conditions {
            let indices = columns.indices(named: condition.column)
            guard let column = indices.first else {
                throw .noSuchConditionColumn(
                    path: path, condition.column, columns: columns.names)
            }
            guard indices.count == 1 else { throw .repeatedColumn(path: path, condition.column) }
            found.append((column, condition.value.lowercased()))
        }
        self.conditions = found
        group = columns.column(.group)
    }

    /// Whether the row just read counts; one with too few fields does, so that it is told.
    ///
    /// Of an article with variants, some systems fill such columns in the first row only.
    mutating func admits(_ row: borrowing CSVReader) -> Bool {
        guard !conditions.isEmpty else { return true }
        let article = group.flatMap { row.hasText($0) ? row.text($0) : nil }
        if let last, last.group == article, conditions.allSatisfy({ !row.hasText($0.column) }) {
            return last.counts
        }
        let counts = meets(row)
        if let article { last = (article, counts) }
        return counts
    }

    private func meets(_ row: borrowing CSVReader) -> Bool {
        for (column, value) in conditions where column < row.fields.count {
            guard let text = row.text(column) else { continue }
            if text.lowercased() != value { return false }
        }
        return true
    }
}
