import WireText

struct RowInterpreter {
    let columns: ColumnMap
    /// The decimal mark of prices, as specified by the user or inferred from earlier rows.
    private(set) var notation: PriceNotation
    private(set) var notes: [ImportNote] = []
    private var texts: [String?] = []
    private let options: ImportOptions
    private let fallback: Currency?
    private let codes: CodeReader
    private let id, name, currency, unit, salePrice, scope, listed, group, from, until: Int?
    private let prices, variants: [Int]
    private let naming: [Int]
    private let conditions: [(column: Int, value: String)]
    /// Whether a row of totals has been read; the rows after it may be remarks.
    private var hasTotal = false
    /// The article whose variants are being read, and its name.
    private var article: (group: String, name: String?)?
    /// The article that was last checked against ``conditions``, and whether it met them.
    private var judged: (group: String, counts: Bool)?

    init(columns: ColumnMap, options: ImportOptions) throws(ImportError) {
        (self.columns, self.options) = (columns, options)
        notation = PriceNotation(given: options.decimalMark)
        codes = CodeReader(columns, keepsCodes: options.keepsCodes)
        let at = columns.column
        (id, name, unit, group) = (at(.id), at(.name), at(.unit), at(.group))
        (currency, salePrice, scope) = (at(.currency), at(.salePrice), at(.scope))
        (listed, from, until) = (at(.listed), at(.validFrom), at(.validUntil))
        (prices, variants) = (columns.columns[.price] ?? [], columns.columns[.variant] ?? [])
        naming = codes.columns + [id, name].compactMap(\.self)
        conditions = try options.conditions.map { condition throws(ImportError) in
            guard let column = try columns.index(named: condition.column) else {
                throw .noColumn(condition.column, for: "to choose rows by", in: columns.names)
            }
            return (column, condition.value.lowercased())
        }
        fallback = prices.first.flatMap { columns.currency(of: $0) } ?? options.currency
    }

    /// Interprets the current row, and sets `notes`; returns nil if the row is left out.
    mutating func draft(of row: borrowing CSVReader) throws -> ProductDraft? {
        notes.removeAll(keepingCapacity: true)
        if let note = sum(row) ?? remark(row) { return leaveOut(note) }
        guard row.fields.count == columns.names.count else {
            throw InvalidRow.Reason(
                "The row has \(words: row.fields.count.counted("field")); expected "
                    + "\(columns.names.count), as the header has.")
        }
        try row.read(into: &texts, named: columns.names)
        guard meetsConditions() else { return nil }
        if let column = columns.unnamed.first(where: { texts[$0] != nil }) {
            throw InvalidRow.Reason(
                "Column \(column + 1) has no name but holds \(quoted: texts[column] ?? ""); expected it "
                    + "empty or named.")
        }
        var draft = ProductDraft()
        (draft.id, draft.name, draft.unit) = (text(id), text(name), text(unit))
        draft.codes = try codes.codes(in: texts, &notes)
        try readPrices(into: &draft)
        readVariant(into: &draft)
        if let note = heading(draft) { return leaveOut(note) }
        guard draft.id != nil || !draft.codes.isEmpty else {
            if group != nil, draft.isBare { return leaveOut(ImportNote(.furtherRow)) }
            throw InvalidRow.Reason("The row has neither an id nor a code; expected one of them.")
        }
        draft.scope = try readScope()
        draft.isListed = try readListed()
        for (column, name) in columns.attributes where column != salePrice {
            draft.attributes[name] = texts[column]
        }
        return draft
    }

    private mutating func leaveOut(_ note: ImportNote) -> ProductDraft? {
        notes = [note]
        return nil
    }

    /// Returns the text in a column; nil if the column is missing or the cell is empty.
    private func text(_ column: Int?) -> String? { column.flatMap { texts[$0] } }

    /// Returns a note if the row is a total, with a word such as `Total` as its first text.
    private mutating func sum(_ row: borrowing CSVReader) -> ImportNote? {
        let first = row.fields.firstIndex { !$0.range.isEmpty }
        guard let first, row.fields[first].range.count <= 24 else { return nil }
        let others = row.fields.count == columns.names.count ? naming : []
        guard !others.contains(where: { $0 != first && !row.fields[$0].range.isEmpty }) else {
            return nil
        }
        guard let text = row.text(first), text.first?.isNumber == false,
            ColumnName(text).isIn(.total)
        else { return nil }
        hasTotal = true
        return ImportNote(.total, text)
    }

    /// Returns a note if the row is a remark below the totals, such as `Printed on 25.11.2026`.
    private func remark(_ row: borrowing CSVReader) -> ImportNote? {
        guard hasTotal, row.fields.count == 1, columns.names.count > 1, let text = row.text(0),
            text.contains(" "), text.contains(where: \.isLetter)
        else { return nil }
        return ImportNote(.heading, text)
    }

    /// Whether the row meets all conditions; if their columns are empty, an earlier row of the article decides.
    private mutating func meetsConditions() -> Bool {
        guard !conditions.isEmpty else { return true }
        let group = text(group)
        if let judged, judged.group == group, conditions.allSatisfy({ texts[$0.column] == nil }) {
            return judged.counts
        }
        let counts = conditions.allSatisfy { texts[$0.column]?.lowercased() ?? "" == $0.value }
        if let group { judged = (group, counts) }
        return counts
    }

    /// Returns a note if the row's only text is a heading in the first or the name column.
    private func heading(_ draft: ProductDraft) -> ImportNote? {
        guard draft.id == nil, draft.name == nil || draft.codes.isEmpty,
            let first = texts.firstIndex(where: { $0 != nil }), first == name || first == 0,
            !prices.contains(first), texts[(first + 1)...].allSatisfy({ $0 == nil }),
            let text = texts[first], text.contains(where: \.isLetter),
            draft.codes.isEmpty || name != nil && !text.contains(where: \.isNumber)
        else { return nil }
        return ImportNote(.heading, text)
    }
}

extension RowInterpreter {
    /// Names that shop systems give to an article's only variant.
    private static let onlyVariant: Set<String> = ["default title", "default", "regular"]

    /// Completes a variant's name with the article's name and the variant's options.
    private mutating func readVariant(into draft: inout ProductDraft) {
        let parts = variants.compactMap { texts[$0] }
            .filter { !Self.onlyVariant.contains($0.lowercased()) }
        if let group = text(group), !draft.isBare || !parts.isEmpty {
            if draft.name != nil || article?.group != group { article = (group, draft.name) }
            draft.name = article?.name
            // Variants may lack codes, so their options identify them.
            if id == nil { draft.id = ([group] + parts).joined(separator: "/") }
        }
        if let name = draft.name { draft.name = ([name] + parts).joined(separator: " - ") }
    }

    /// Reads the shop to which the row applies; nil if it applies to all shops.
    private func readScope() throws -> CatalogScope? {
        guard let name = text(scope) else { return options.scope }
        guard let scope = CatalogScope(name) else {
            throw InvalidRow.Reason.unreadable("scope", name, expected: CatalogScope.rule)
        }
        if let scopeOfAll = options.scope, scope != scopeOfAll {
            throw InvalidRow.Reason(
                "The row is of the scope \(quoted: name), and the import of "
                    + "\(quoted: scopeOfAll.name); expected one of them.")
        }
        return scope
    }

    /// Whether the row's shop sells the product; nil if the row does not say.
    private func readListed() throws -> Bool? {
        guard let text = text(listed) else { return nil }
        if ["yes", "true", "t", "1"].contains(text.lowercased()) { return true }
        if ["no", "false", "f", "0"].contains(text.lowercased()) { return false }
        throw InvalidRow.Reason.unreadable(
            "value of \(columns.name(of: .listed))", text, expected: "yes or no")
    }

    /// Reads the row's prices, and the period of validity if the row has one.
    private mutating func readPrices(into draft: inout ProductDraft) throws {
        let usual = try price(in: prices)
        guard let salePrice else {
            if let usual {
                draft.prices = [try dated(usual)]
                draft.isDated = draft.prices[0].isDated
            } else if text(from) != nil || text(until) != nil {
                throw InvalidRow.Reason(
                    "The row says when a price holds, and has none; expected a price.")
            }
            return
        }
        let sale = try price(in: [salePrice])
        if let usual { draft.prices = [usual] }
        // Some systems keep the times of a sale that is over.
        guard let sale else { return }
        let price = try dated(sale)
        if price.isDated {
            draft.prices.append(price)
        } else if let text = texts[salePrice] {
            draft.attributes[columns.names[salePrice]] = text
            notes.append(ImportNote(.undatedSale, text))
        }
    }

    private func dated(_ price: ProductDraft.Price) throws -> ProductDraft.Price {
        func moment(in column: Int?, isEnd: Bool) throws -> Int64? {
            guard let column, let text = texts[column] else { return nil }
            return try WrittenTime(zone: options.timeZone)
                .read(text, of: columns.names[column], isEnd: isEnd)
        }
        var price = price
        price.from = try moment(in: from, isEnd: false)
        price.until = try moment(in: until, isEnd: true)
        guard (price.from ?? .min) < (price.until ?? .max) else {
            throw InvalidRow.Reason(
                "The price holds from \(quoted: text(from) ?? "") until \(quoted: text(until) ?? ""); "
                    + "expected an end after the beginning.")
        }
        return price
    }

    /// Reads the price in the first non-empty cell; nil if all are empty or it is `variable`.
    private mutating func price(in prices: [Int]) throws -> ProductDraft.Price? {
        let named = text(currency)
        let currency = named.flatMap { Currency($0) }
        if let named, currency == nil {
            throw InvalidRow.Reason.unreadable(
                "currency", named, expected: "a code of ISO 4217 such as EUR")
        }
        guard let column = prices.first(where: { texts[$0] != nil }), let text = texts[column]
        else { return nil }
        if let unit, unit == column + 1, let unit = texts[unit], unit.utf8.count == 2,
            (text + unit).utf8.allSatisfy(\.isDigit)
        {
            throw InvalidRow.Reason(
                "The unit \(quoted: unit) looks like the decimals of the price \(quoted: text); "
                    + "expected \(quoted: "\(text),\(unit)") in quotation marks, or another unit.")
        }
        if text.utf8.count == 8, text.lowercased() == "variable" {
            notes.append(ImportNote(.variablePrice))
            return nil
        }
        do throws(PriceError) {
            return try notation.read(text, column: currency, fallback: fallback)
        } catch {
            throw InvalidRow.Reason.price(error)
        }
    }
}
