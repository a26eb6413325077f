/// Which column of a CSV file holds what.
struct ColumnMap: Equatable {
    /// The header's names, without blanks around them.
    let names: [String]
    /// The columns of each field.
    private(set) var columns: [CatalogField: [Int]] = [:]
    /// The columns of attributes, and the attributes' names.
    private(set) var attributes: [(column: Int, name: String)] = []
    /// The columns without a name.
    private(set) var unnamed: [Int] = []
    /// The system that writes such a header; nil for any other.
    private(set) var system: String?
    private let simple: [String]
    private let path: String

    static func == (left: Self, right: Self) -> Bool {
        left.names == right.names && left.columns == right.columns
            && left.attributes.elementsEqual(right.attributes, by: ==)
    }

    /// Marks a column as an attribute whatever the rest of its name is.
    static let attributePrefix = "attribute:"

    /// Finds out what the columns hold.
    init(header names: [String], mappings: [ColumnMapping], path: String) throws(ImportError) {
        self.names = names
        self.path = path
        simple = names.map(Self.simplified)
        try map(mappings)
        try recognise()
        try takeAttributes()
        guard columns[.id] != nil || columns[.code] != nil || columns[.group] != nil else {
            throw .noIdentity(path: path, columns: names)
        }
    }

    /// Whether names are those of a header: one of them holds ids or codes.
    static func isHeader(_ names: [String], mappings: [ColumnMapping]) -> Bool {
        let mapped = mappings.filter { [.id, .code, .group].contains($0.field) }
        return names.contains { name in
            isIdentity(simplified(name)) || CodeName(name) != nil
                || mapped.contains { folded($0.column) == folded(name) }
        }
    }

    private static func isIdentity(_ name: String) -> Bool {
        [CatalogField.id, .code, .group].contains { $0.recognisedNames.contains(name) }
    }

    /// The column of a field that has one.
    func column(_ field: CatalogField) -> Int? { columns[field]?.first }

    /// The name of the column of a field, as the header has it; the field's own if it has none.
    func name(of field: CatalogField) -> String {
        column(field).map { names[$0] } ?? field.rawValue
    }

    /// The columns with a name; case and blanks ahead of it do not count.
    func indices(named name: String) -> [Int] {
        let wanted = Self.folded(name)
        return names.indices.filter { Self.folded(names[$0]) == wanted }
    }

    private mutating func map(_ mappings: [ColumnMapping]) throws(ImportError) {
        for mapping in mappings {
            let found = indices(named: mapping.column)
            guard let column = found.first else {
                throw .noSuchColumn(path: path, mapping, columns: names)
            }
            guard found.count == 1 else { throw .repeatedColumn(path: path, names[column]) }
            guard columns[mapping.field] == nil || mapping.field.mayRepeat else {
                throw .mappedTwice(mapping.field)
            }
            columns[mapping.field, default: []].append(column)
        }
    }

    /// The columns that nothing is known of so far.
    private var free: [Int] {
        let taken = Set(columns.values.joined())
        return names.indices.filter {
            !taken.contains($0) && !names[$0].hasPrefix(Self.attributePrefix)
        }
    }

    private mutating func recognise() throws(ImportError) {
        let format = ExportFormat(header: simple)
        system = format?.system
        for field in CatalogField.allCases where columns[field] == nil && field != .attribute {
            if field == .price {
                try recognisePrice(format)
            } else if let found = format?.columns(of: field, in: simple) {
                columns[field] = found
            } else {
                columns[field] = try found(field)
            }
        }
        takeArticleNumbers()
        recogniseSale()
    }

    /// The columns whose names are those of a field.
    private func found(_ field: CatalogField) throws(ImportError) -> [Int]? {
        let recognised = field.recognisedNames
        var found = free.filter {
            recognised.contains(simple[$0]) || field == .code && CodeName(names[$0]) != nil
        }
        if !field.mayRepeat, found.count > 1 {
            let best = recognised.first { name in found.contains { simple[$0] == name } }
            found = found.filter { simple[$0] == best }
            guard found.count == 1 else { throw .repeatedColumn(path: path, names[found[0]]) }
        }
        return found.isEmpty ? nil : found
    }

    /// Takes the price; what could be one and is not taken stops the import.
    private mutating func recognisePrice(_ format: ExportFormat?) throws(ImportError) {
        var found: [PriceName: [Int]] = [:]
        for column in free {
            if let name = PriceName(names[column]) { found[name, default: []].append(column) }
        }
        var choices = (found[.price] ?? []) + (found[.unclear] ?? [])
        if let known = format?.columns(of: .price, in: simple) {
            choices = known
        } else if choices.isEmpty {
            choices = (found[.sale] ?? []) + (found[.other] ?? [])
        }
        guard !choices.isEmpty else { return }
        let folded = choices.map { Self.folded(names[$0]) }
        if let name = folded.first(where: { name in folded.count { $0 == name } > 1 }) {
            throw .repeatedColumn(path: path, name)
        }
        guard choices.count == 1, format != nil || found[.price] == choices else {
            throw .priceColumn(path: path, choices: choices.sorted().map { names[$0] })
        }
        columns[.price] = choices
    }

    /// An article number is a code of the product if the file has other ids.
    private mutating func takeArticleNumbers() {
        guard let id = column(.id), !CatalogField.articleNumbers.contains(simple[id]) else {
            return
        }
        let numbers = free.filter { CatalogField.articleNumbers.contains(simple[$0]) }
        if !numbers.isEmpty { columns[.code, default: []] += numbers }
    }

    /// A sale price counts with its times; without them it is an attribute.
    private mutating func recogniseSale() {
        let starts = free.filter { CatalogField.saleStarts.contains(simple[$0]) }
        let ends = free.filter { CatalogField.saleEnds.contains(simple[$0]) }
        let sales = columns[.salePrice] ?? free.filter { PriceName(names[$0]) == .sale }
        guard sales.count == 1, starts.count <= 1, ends.count <= 1,
            !starts.isEmpty || !ends.isEmpty,
            columns[.validFrom] == nil, columns[.validUntil] == nil, columns[.price] != nil
        else { return }
        columns[.salePrice] = sales
        if !starts.isEmpty { columns[.validFrom] = starts }
        if !ends.isEmpty { columns[.validUntil] = ends }
    }

    private mutating func takeAttributes() throws(ImportError) {
        // A sale price without a time becomes an attribute of its product.
        let taken = Set(
            columns.filter { ![.attribute, .salePrice].contains($0.key) }.values.joined())
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
        columns[.attribute] = nil
    }

    /// The header that reads back as an attribute of that name.
    static func header(forAttribute name: String) -> String {
        let simple = simplified(name)
        let isField =
            CatalogField.allCases.contains { $0.recognisedNames.contains(simple) }
            || CodeName(name) != nil || PriceName(name) != nil
            || (CatalogField.saleStarts + CatalogField.saleEnds).contains(simple)
        return isField || name.hasPrefix(attributePrefix) ? attributePrefix + name : name
    }

    private static func attributeName(_ header: String) -> String {
        guard header.hasPrefix(attributePrefix) else { return header }
        return String(header.dropFirst(attributePrefix.count))
    }

    private static func folded(_ name: String) -> String {
        String(name.trimmingPrefix(while: { $0 == " " })).lowercased()
    }

    private static func simplified(_ name: String) -> String {
        name.hasPrefix(attributePrefix) ? name : ColumnName.simplified(name)
    }
}
