import WireText

struct ColumnMap {
    let names: [String]
    private(set) var columns: [CatalogField: [Int]] = [:]
    private(set) var attributes: [(column: Int, name: String)] = []
    private(set) var unnamed: [Int] = []
    private var format: ExportFormat?
    private let keys: [ColumnName]

    init(header names: [String], mappings: [ColumnMapping]) throws(ImportError) {
        self.names = names
        keys = names.map { ColumnName($0) }
        format = ExportFormat.of(header: keys.map(\.simple) + names.map { $0.lowercased() })
        let isData = names.contains { $0.wholeMatch(of: /[0-9]{8}|[0-9]{12,14}/) != nil }
        if isData, !Self.isHeader(names, mappings: mappings) {
            throw ImportError(
                "lacks column names: the first row is not a header, \(ImportError.list(names)).")
        }
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

    /// Whether a row is a header, that is, whether it names at least one column of ids, codes or groups.
    static func isHeader(_ names: [String], mappings: [ColumnMapping]) -> Bool {
        let identities: [CatalogField] = [.id, .code, .group]
        let mapped = mappings.filter { identities.contains($0.field) }.map { folded($0.column) }
        let known = identities.flatMap(\.recognisedNames)
        return names.contains { name in
            let key = ColumnName(name)
            return known.contains(key.simple) || key.isCode || mapped.contains(folded(name))
        }
    }

    func column(_ field: CatalogField) -> Int? { columns[field]?.first }

    /// Returns the header's name for a field's column, or else the field's raw value, such as `valid_from`.
    func name(of field: CatalogField) -> String {
        column(field).map { names[$0] } ?? field.rawValue
    }

    /// Finds a column by name, ignoring case; throws an error if several columns match.
    func index(named name: String) throws(ImportError) -> Int? {
        let wanted = Self.folded(name)
        let found = names.indices.filter { Self.folded(names[$0]) == wanted }
        guard found.count < 2 else { throw .repeatedColumn(names[found[0]]) }
        return found.first
    }

    /// Returns the currency in a price column's name, such as `price (EUR)`; nil if none is recognised.
    func currency(of column: Int) -> Currency? {
        if names[column].contains("€") { return Currency("EUR") }
        guard keys[column].price == .unclear else { return nil }
        return keys[column].lastWord.flatMap { Currency($0) }
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

    /// Returns the columns that satisfy `wanted` and do not belong to a field yet.
    private func free(_ wanted: (ColumnName) -> Bool) -> [Int] {
        let taken = Set(columns.values.joined())
        return names.indices.filter {
            !taken.contains($0) && !names[$0].hasPrefix(ColumnName.attributePrefix)
                && wanted(keys[$0])
        }
    }

    private func recognised(_ field: CatalogField) throws(ImportError) -> [Int]? {
        if field == .price { return try price() }
        if let known = format?.columns(of: field, in: keys) { return known }
        let recognised = field.recognisedNames
        var found = free { recognised.contains($0.simple) || field == .code && $0.isCode }
        if !field.mayRepeat, found.count > 1 {
            let best = recognised.first { name in found.contains { keys[$0].simple == name } }
            found = found.filter { keys[$0].simple == best }
            guard found.count == 1 else { throw .repeatedColumn(names[found[0]]) }
        }
        return found.isEmpty ? nil : found
    }

    /// Returns the price column, if there is one; throws an error if the choice is not clear.
    private func price() throws(ImportError) -> [Int]? {
        func named(_ kinds: ColumnName.Price...) -> [Int] {
            free { $0.price.map(kinds.contains) ?? false }
        }
        let known = format?.columns(of: .price, in: keys)
        var choices = known ?? named(.usual, .unclear)
        if choices.isEmpty { choices = named(.sale, .other) }
        guard let first = choices.first else { return nil }
        for column in choices { _ = try index(named: names[column]) }
        let isSure = known != nil || keys[first].price == .usual
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

    /// Adds the columns of article numbers to the columns of codes if another column contains the ids.
    private mutating func takeArticleNumbers() {
        guard let id = column(.id), !keys[id].isIn(.number) else { return }
        let numbers = free { $0.isIn(.number) }
        if !numbers.isEmpty { columns[.code, default: []] += numbers }
    }

    /// Uses a column of sale prices only if another column says when the sale starts or ends.
    private mutating func recogniseSale() {
        let (starts, ends) = (free { $0.isIn(.saleStart) }, free { $0.isIn(.saleEnd) })
        let sales = columns[.salePrice] ?? free { $0.price == .sale }
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
        let others = names.indices.filter { !taken.contains($0) }.map { column in
            (column, name: String(names[column].trimmingPrefix(ColumnName.attributePrefix)))
        }
        unnamed = others.filter(\.name.isEmpty).map(\.0)
        attributes = others.filter { !$0.name.isEmpty }
        if let repeated = attributes.first(where: { !seen.insert($0.name).inserted }) {
            throw .repeatedColumn(repeated.name)
        }
        columns[.attribute] = nil
    }

    /// Returns the column name for an attribute, with the prefix `attribute:` if necessary.
    static func header(forAttribute name: String) -> String {
        let key = ColumnName(name)
        let isField =
            CatalogField.allCases.contains { $0.recognisedNames.contains(key.simple) }
            || key.isCode || key.price != nil || key.isIn(.saleStart, .saleEnd)
        let prefix = ColumnName.attributePrefix
        return isField || name.hasPrefix(prefix) ? prefix + name : name
    }

    private static func folded(_ name: String) -> String {
        String(name.trimmingPrefix(while: { $0 == " " })).lowercased()
    }

    /// Returns lines that tell the user how each column is used.
    func lines(headerLine: Int) -> [String] {
        func list(_ title: String, _ names: [String]) -> [String] {
            names.isEmpty ? [] : [title + ": " + names.map(Self.argument).joined(separator: " ")]
        }
        let taken = CatalogField.allCases.flatMap { field in
            (columns[field] ?? []).map { "\(field.rawValue)=\(Self.argument(names[$0]))" }
        }
        let system = format.map { " of an export from \($0.system)" } ?? ""
        let others = attributes.filter { $0.column != column(.salePrice) }
        let isPrice = { (other: (column: Int, name: String)) in keys[other.column].price != nil }
        return (headerLine > 1 ? ["the header is in line \(headerLine)"] : [])
            + ["columns\(system): \(taken.joined(separator: " "))"]
            + (columns[.price] == nil ? ["no column is the price"] : [])
            + list("not used as the price", others.filter(isPrice).map(\.name))
            + list("kept as attributes", others.filter { !isPrice($0) }.map(\.name))
    }

    /// Quotes a column's name for a shell if necessary; may shorten or escape unusual names.
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

/// The export format of a shop system whose column names are ambiguous.
struct ExportFormat {
    let system: String
    /// The column names that identify the format, in lower case, without spaces or punctuation; an underscore is kept
    /// only where it matters, as in `list_price`, because other systems have a column `list price`.
    private let marks: [String]
    /// The column names by field; if a field has several, the first one that the header contains is used.
    private let columns: [(field: String, name: String)]

    // `price*` matches any name that begins with `price`. In Loyverse, every store has its own price, and the default
    // price is for new stores. Shopify has further prices for markets. In Shopware 5, EK is the default customer group.
    // BigCommerce's retail price is the recommended one.
    private static let all = """
        Loyverse | handle sku soldbyweight | price=price* price=defaultprice
        Shopify | handle variantprice | price=variantprice
        Shopify | urlhandle compareatprice | price=price
        Lightspeed Retail (R-Series) | systemid customsku price | name=item name=description price=price
        Odoo | list_price default_code | price=listprice
        Odoo | list_price standard_price | price=listprice
        Odoo | lstprice | price=lstprice
        JTL-Wawi | artikelnummer stdvkbrutto | price=stdvkbrutto
        JTL-Wawi | artikelnummer bruttovk | price=bruttovk
        Shopware 6 | productnumber pricegross pricenet | price=pricegross
        Shopware 5 | ordernumber mainnumber priceek | id=ordernumber variant=additionaltext price=priceek
        PrestaShop | pricetaxincluded pricetaxexcluded | price=pricetaxincluded
        PrestaShop | pricetaxincl pricetaxexcl | price=pricetaxincl
        BigCommerce | productcodesku price | price=price
        """.split(separator: "\n").map { ExportFormat(line: $0.split(separator: "|")) }

    static func of(header names: [String]) -> ExportFormat? {
        all.first { Set(names).isSuperset(of: $0.marks) }
    }

    private init(line parts: [Substring]) {
        system = parts[0].dropLast().description
        marks = parts[1].split(separator: " ").map(String.init)
        let sides = parts[2].split { $0 == " " || $0 == "=" }.map(String.init)
        columns = stride(from: 0, to: sides.count, by: 2).map { (sides[$0], sides[$0 + 1]) }
    }

    /// Returns the columns that this format defines for a field; nil if the header has none.
    func columns(of field: CatalogField, in names: [ColumnName]) -> [Int]? {
        for (known, name) in columns where known == field.rawValue {
            let isPrefix = name.hasSuffix("*")
            let found = names.indices.filter {
                isPrefix ? names[$0].simple.hasPrefix(name.dropLast()) : names[$0].simple == name
            }
            if !found.isEmpty { return found }
        }
        return nil
    }
}
