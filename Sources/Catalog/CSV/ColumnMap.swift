import WireText

/// Which column of a CSV file holds what.
struct ColumnMap: Equatable {
    /// The header's names, without blanks around them.
    let names: [String]
    /// The columns of each field; several of codes only.
    private(set) var columns: [CatalogField: [Int]] = [:]
    /// The columns of attributes, and the attributes' names.
    private(set) var attributes: [(column: Int, name: String)] = []
    /// The columns without a name.
    private(set) var unnamed: [Int] = []

    static func == (left: Self, right: Self) -> Bool {
        left.names == right.names && left.columns == right.columns
            && left.attributes.elementsEqual(right.attributes, by: ==)
    }

    /// Marks a column as an attribute whatever the rest of its name is.
    static let attributePrefix = "attribute:"

    /// Finds out what the columns hold.
    init(header names: [String], mappings: [ColumnMapping], path: String) throws(ImportError) {
        self.names = names
        try map(mappings, path: path)
        try recognise(path: path)
        try takeAttributes(path: path)
        guard columns[.id] != nil || columns[.code] != nil else {
            throw .noIdentity(path: path, columns: names)
        }
    }

    /// The column of a field that has one.
    func column(_ field: CatalogField) -> Int? { columns[field]?.first }

    /// The name of the column of a field, as the header has it; the field's own where it has none.
    func name(of field: CatalogField) -> String {
        column(field).map { names[$0] } ?? field.rawValue
    }

    /// The columns with a name; case and blanks ahead of it do not count.
    func indices(named name: String) -> [Int] {
        let wanted = Self.folded(name)
        return names.indices.filter { Self.folded(names[$0]) == wanted }
    }

    private mutating func map(_ mappings: [ColumnMapping], path: String) throws(ImportError) {
        for mapping in mappings {
            let found = indices(named: mapping.column)
            guard let column = found.first else {
                throw .noSuchColumn(path: path, mapping, columns: names)
            }
            guard found.count == 1 else { throw .repeatedColumn(path: path, names[column]) }
            guard columns[mapping.field] == nil || mapping.field == .code else {
                throw .mappedTwice(mapping.field)
            }
            columns[mapping.field, default: []].append(column)
        }
    }

    private mutating func recognise(path: String) throws(ImportError) {
        let mapped = Set(columns.values.joined())
        let simple = names.map(Self.simplified)
        for field in CatalogField.allCases where columns[field] == nil {
            let recognised = field.recognisedNames
            var found = simple.indices.filter { index in
                !mapped.contains(index) && recognised.contains(simple[index])
            }
            if field != .code, found.count > 1 {
                let best = recognised.first { name in found.contains { simple[$0] == name } }
                found = found.filter { simple[$0] == best }
                guard found.count == 1 else { throw .repeatedColumn(path: path, names[found[0]]) }
            }
            if !found.isEmpty { columns[field] = found }
        }
    }

    private mutating func takeAttributes(path: String) throws(ImportError) {
        let taken = Set(columns.values.joined())
        var seen: Set<String> = []
        for column in names.indices where !taken.contains(column) {
            let name = Self.attributeName(names[column])
            guard !name.isEmpty else {
                unnamed.append(column)
                continue
            }
            guard seen.insert(name).inserted else { throw .repeatedColumn(path: path, name) }
            attributes.append((column, name))
        }
    }

    /// The header that reads back as an attribute of that name.
    static func header(forAttribute name: String) -> String {
        let isField = CatalogField.allCases.contains {
            $0.recognisedNames.contains(simplified(name))
        }
        return isField || name.hasPrefix(attributePrefix) ? attributePrefix + name : name
    }

    private static func attributeName(_ header: String) -> String {
        guard header.hasPrefix(attributePrefix) else { return header }
        return String(header.dropFirst(attributePrefix.count))
    }

    private static func folded(_ name: String) -> String {
        String(name.trimmingPrefix(while: { $0 == " " })).lowercased()
    }

    /// A name in lower case, without blanks and punctuation.
    private static func simplified(_ name: String) -> String {
        guard !name.hasPrefix(attributePrefix) else { return name }
        return name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}

/// Says which column of a CSV file holds a field, whatever the column's name.
package struct ColumnMapping: Hashable, Sendable {
    /// The field.
    package var field: CatalogField
    /// The column's name as the header has it; case and blanks around it do not count.
    package var column: String

    /// Maps a field to a column.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - column: The column's name as the header has it.
    package init(_ field: CatalogField, column: String) {
        self.field = field
        self.column = column
    }

    /// Reads a mapping as users write it: `name=Artikel`.
    ///
    /// - Parameter text: The field, `=`, and the column's name.
    /// - Throws: `ColumnMappingError`.
    package init(_ text: String) throws(ColumnMappingError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else { throw .noColumn(text: text) }
        guard let field = CatalogField(rawValue: String(parts[0])) else {
            throw .unknownField(text: text, found: String(parts[0]))
        }
        self.init(field, column: String(parts[1]))
    }
}

/// Why a text is no column mapping.
package enum ColumnMappingError: Error, Equatable, Sendable {
    /// The text is not `FIELD=COLUMN`.
    case noColumn(text: String)
    /// No field has that name.
    case unknownField(text: String, found: String)
}

extension ColumnMappingError: CustomStringConvertible {
    /// The error as one sentence.
    package var description: String {
        switch self {
        case .noColumn(let text):
            "The mapping \(text.quoted()) names no column; expected FIELD=COLUMN, such as name=Artikel."
        case .unknownField(let text, let found):
            "The mapping \(text.quoted()) is of an unknown field \(found.quoted()); expected one of "
                + CatalogField.allCases.map(\.rawValue).joined(separator: ", ") + "."
        }
    }
}
