import WireText

/// Which column of a CSV file holds what.
struct ColumnMap {
    /// The header's names, without blanks around them.
    let names: [String]
    /// The columns of each field.
    private(set) var columns: [CatalogField: [Int]] = [:]
    /// The columns of attributes, and the attributes' names.
    private(set) var attributes: [(column: Int, name: String)] = []
    /// The columns without a name.
    private(set) var unnamed: [Int] = []
    private var format: ExportFormat?
    private let simple: [String]

    /// Marks a column as an attribute whatever the rest of its name is.
    private static let attributePrefix = "attribute:"

    /// Finds out what the columns hold.
    init(header names: [String], mappings: [ColumnMapping]) throws(ImportError) {
        self.names = names
        simple = names.map(Self.simplified)
        format = ExportFormat(header: simple + names.map { $0.lowercased() })
        try map(mappings)
        for field in CatalogField.allCases where columns[field] == nil && field != .attribute {
            columns[field] = try recognised(field)
        }
        takeArticleNumbers()
        recogniseSale()
        try takeAttributes()
        guard columns[.id] != nil || columns[.code] != nil || columns[.group] != nil else {
            throw ImportError(
                "has no column of ids or codes; expected one named ean, gtin, upc, sku, code or id, or a "
                    + "mapping, and found \(ImportError.list(names)).")
        }
    }

    /// Whether names are those of a header: one of them holds ids or codes.
    static func isHeader(_ names: [String], mappings: [ColumnMapping]) -> Bool {
        let identities: [CatalogField] = [.id, .code, .group]
        let mapped = mappings.filter { identities.contains($0.field) }.map { folded($0.column) }
        let known = identities.flatMap(\.recognisedNames)
        return names.contains { name in
            known.contains(simplified(name)) || CodeName(name) != nil
                || mapped.contains(folded(name))
        }
    }

    /// The column of a field that has one.
    func column(_ field: CatalogField) -> Int? { columns[field]?.first }

    /// The name of the column of a field, as the header has it; the field's own if it has none.
    func name(of field: CatalogField) -> String {
        column(field).map { names[$0] } ?? field.rawValue
    }

    /// The column with a name, whose case and blanks ahead do not count; nil if there is none.
    func index(named name: String) throws(ImportError) -> Int? {
        let wanted = Self.folded(name)
        let found = names.indices.filter { Self.folded(names[$0]) == wanted }
        guard found.count < 2 else { throw .repeatedColumn(names[found[0]]) }
        return found.first
    }

    private mutating func map(_ mappings: [ColumnMapping]) throws(ImportError) {
        for mapping in mappings {
            guard let column = try index(named: mapping.column) else {
                throw .noColumn(mapping.column, for: "for \(mapping.field.rawValue)", in: names)
            }
            guard columns[mapping.field] == nil || mapping.field.mayRepeat else {
                throw ImportError(
                    "is to have several columns for \(mapping.field.rawValue); expected one.")
            }
            columns[mapping.field, default: []].append(column)
        }
    }

    /// The columns that nothing is known of so far, and that are `wanted`.
    private func free(_ wanted: (Int) -> Bool) -> [Int] {
        let taken = Set(columns.values.joined())
        return names.indices.filter {
            !taken.contains($0) && !names[$0].hasPrefix(Self.attributePrefix) && wanted($0)
        }
    }

    /// The columns whose names are those of a field.
    private func recognised(_ field: CatalogField) throws(ImportError) -> [Int]? {
        if field == .price { return try price() }
        if let known = format?.columns(of: field, in: simple) { return known }
        let recognised = field.recognisedNames
        var found = free {
            recognised.contains(simple[$0]) || field == .code && CodeName(names[$0]) != nil
        }
        if !field.mayRepeat, found.count > 1 {
            let best = recognised.first { name in found.contains { simple[$0] == name } }
            found = found.filter { simple[$0] == best }
            guard found.count == 1 else { throw .repeatedColumn(names[found[0]]) }
        }
        return found.isEmpty ? nil : found
    }

    /// The column of the price; what could be one and is not taken stops the import.
    private func price() throws(ImportError) -> [Int]? {
        func named(_ kinds: PriceName...) -> [Int] {
            free { column in PriceName(names[column]).map(kinds.contains) ?? false }
        }
        let known = format?.columns(of: .price, in: simple)
        var choices = known ?? named(.price, .unclear)
        if choices.isEmpty { choices = named(.sale, .other) }
        guard let first = choices.first else { return nil }
        for column in choices { _ = try index(named: names[column]) }
        let isSure = known != nil || PriceName(names[first]) == .price
        guard choices.count == 1, isSure else {
            if choices.count == 1 { choices = Set(choices + named(.sale, .other)).sorted() }
            let mappings = choices.map { "--map price=\(Self.argument(names[$0]))" }
            throw ImportError(
                "has no column that is surely the price; write "
                    + "\(words: mappings.joined(separator: " or ")), or --map attribute=COLUMN for a "
                    + "column that is none.")
        }
        return choices
    }

    /// An article number is a code of the product if the file has other ids.
    private mutating func takeArticleNumbers() {
        guard let id = column(.id), !NameList.number.contains(simple[id]) else { return }
        let numbers = free { NameList.number.contains(simple[$0]) }
        if !numbers.isEmpty { columns[.code, default: []] += numbers }
    }

    /// A sale price counts with its times; without them it is an attribute.
    private mutating func recogniseSale() {
        let starts = free { NameList.saleStart.contains(simple[$0]) }
        let ends = free { NameList.saleEnd.contains(simple[$0]) }
        let sales = columns[.salePrice] ?? free { PriceName(names[$0]) == .sale }
        guard sales.count == 1, starts.count <= 1, ends.count <= 1,
            !starts.isEmpty || !ends.isEmpty,
            columns[.validFrom] == nil, columns[.validUntil] == nil, columns[.price] != nil
        else { return }
        columns[.salePrice] = sales
        columns[.validFrom] = starts.isEmpty ? nil : starts
        columns[.validUntil] = ends.isEmpty ? nil : ends
    }

    private mutating func takeAttributes() throws(ImportError) {
        // A sale price without a time becomes an attribute of its product.
        let taken = Set(
            columns.filter { ![.attribute, .salePrice].contains($0.key) }.values.joined())
        var seen: Set<String> = []
        for column in names.indices where !taken.contains(column) {
            let name = String(names[column].trimmingPrefix(Self.attributePrefix))
            guard !name.isEmpty else {
                unnamed.append(column)
                continue
            }
            guard seen.insert(name).inserted else { throw .repeatedColumn(name) }
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
            || NameList.saleStart.contains(simple) || NameList.saleEnd.contains(simple)
        return isField || name.hasPrefix(attributePrefix) ? attributePrefix + name : name
    }

    private static func folded(_ name: String) -> String {
        String(name.trimmingPrefix(while: { $0 == " " })).lowercased()
    }

    private static func simplified(_ name: String) -> String {
        name.hasPrefix(attributePrefix) ? name : ColumnName.simplified(name)
    }
}

extension ColumnMap {
    /// Which column was taken for what, in lines for the user to see.
    func lines(headerLine: Int) -> [String] {
        func list(_ title: String, _ names: [String]) -> [String] {
            names.isEmpty ? [] : [title + ": " + names.map(Self.argument).joined(separator: " ")]
        }
        let taken = CatalogField.allCases.flatMap { field in
            (columns[field] ?? []).map { "\(field.rawValue)=\(Self.argument(names[$0]))" }
        }
        let system = format.map { " of an export from \($0.system)" } ?? ""
        let others = attributes.filter { $0.column != column(.salePrice) }
        let isPrice = { (other: (column: Int, name: String)) in
            PriceName(names[other.column]) != nil
        }
        return (headerLine > 1 ? ["the header is in line \(headerLine)"] : [])
            + ["columns\(system): \(taken.joined(separator: " "))"]
            + (columns[.price] == nil ? ["no column is the price"] : [])
            + list("not taken as the price", others.filter(isPrice).map(\.name))
            + list("kept as attributes", others.filter { !isPrice($0) }.map(\.name))
    }

    /// A column's name as `--map` takes it in a shell; one that cannot be printed as it stands is only shown.
    static func argument(_ name: String) -> String {
        let isPlain = name.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || "0123456789_-./".unicodeScalars.contains($0)
        }
        if isPlain, !name.isEmpty { return name }
        let signs = "$`!\\\"".unicodeScalars
        let quoted = name.quoted(upTo: .max)
        let shown = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        guard name.unicodeScalars.contains(where: signs.contains), quoted == "\"\(shown)\"" else {
            return name.quoted()
        }
        return "'" + name.replacing("'", with: "'\\''") + "'"
    }
}
