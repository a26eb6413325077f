/// Which rows count.
struct RowFilter {
    private let conditions: [(column: Int, value: String)]

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
    }

    /// Whether the row just read counts; one with too few fields does, so that it is told.
    func admits(_ row: borrowing CSVReader) -> Bool {
        for (column, value) in conditions where column < row.fields.count {
            guard let text = row.text(column) else { continue }
            if text.lowercased() != value { return false }
        }
        return true
    }
}
