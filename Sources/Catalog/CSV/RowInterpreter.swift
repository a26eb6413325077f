import Barcodes
import Foundation
import WireText

/// Makes products of rows.
struct RowInterpreter {
    /// What the columns hold.
    let columns: ColumnMap
    /// What the rows read so far say of how prices are written.
    private(set) var notation: PriceNotation
    /// What the row just read was taken for otherwise than the file has it.
    private(set) var notes: [ImportNote] = []
    /// The texts of the row just read.
    private var texts: [String?] = []
    private let fallback: Currency?
    private let codes: CodeReader
    private let id, name, currency, unit, salePrice, scope, listed, group, from, until: Int?
    private let prices, variants: [Int]
    /// The columns that name a product.
    private let naming: [Int]
    private let time: WrittenTime
    /// The shop that all rows are of; nil if a column says whose they are.
    private let scopeOfAll: CatalogScope?
    /// Whether a total was read, after which remarks may follow.
    private var hasTotal = false
    /// The article whose variants are being read, and its name.
    private var article: (group: String, name: String?)?

    /// The conditions that rows must meet.
    private let conditions: [(column: Int, value: String)]
    /// The article of the last row that says something about the conditions, and whether it counts.
    private var judged: (group: String, counts: Bool)?

    init(columns: ColumnMap, options: ImportOptions) throws(ImportError) {
        self.columns = columns
        notation = PriceNotation(given: options.decimalMark)
        codes = CodeReader(columns, keepsCodes: options.keepsCodes)
        (id, name, unit) = (columns.column(.id), columns.column(.name), columns.column(.unit))
        (group, currency) = (columns.column(.group), columns.column(.currency))
        (scope, listed) = (columns.column(.scope), columns.column(.listed))
        (from, until) = (columns.column(.validFrom), columns.column(.validUntil))
        salePrice = columns.column(.salePrice)
        (prices, variants) = (columns.columns[.price] ?? [], columns.columns[.variant] ?? [])
        naming = codes.columns + [id, name].compactMap(\.self)
        conditions = try options.conditions.map { condition throws(ImportError) in
            guard let column = try columns.index(named: condition.column) else {
                throw .noColumn(condition.column, for: "to choose rows by", in: columns.names)
            }
            return (column, condition.value.lowercased())
        }
        time = WrittenTime(zone: options.timeZone)
        scopeOfAll = options.scope
        fallback =
            prices.first.flatMap { Self.currency(inHeader: columns.names[$0]) }
            ?? options.currency
    }

    /// The currency that the name of a price column ends with: `price (EUR)`, `Preis in €`.
    private static func currency(inHeader name: String) -> Currency? {
        if name.contains("€") { return Currency("EUR") }
        guard PriceName(name) == .unclear else { return nil }
        return ColumnName.words(name).last.flatMap { Currency($0) }
    }

    /// Reads the row a reader has just found; nil if it has no product, as `notes` says.
    mutating func draft(of row: borrowing CSVReader) throws -> ProductDraft? {
        notes.removeAll(keepingCapacity: true)
        if let note = sum(row) ?? remark(row) {
            notes.append(note)
            return nil
        }
        guard row.fields.count == columns.names.count else {
            throw InvalidRow.Reason(
                "The row has \(words: row.fields.count.counted("field")); expected "
                    + "\(columns.names.count), as the header has.")
        }
        try row.read(into: &texts, named: columns.names)
        guard meetsConditions() else { return nil }
        for column in columns.unnamed {
            if let found = texts[column] {
                throw InvalidRow.Reason(
                    "Column \(column + 1) has no name but holds \(quoted: found); expected it empty or "
                        + "named.")
            }
        }
        var draft = ProductDraft()
        (draft.id, draft.name, draft.unit) = (text(id), text(name), text(unit))
        draft.codes = try codes.codes(in: texts, &notes)
        try readPrices(into: &draft)
        readVariant(into: &draft)
        if let note = heading(draft) {
            notes = [note]
            return nil
        }
        guard draft.id != nil || !draft.codes.isEmpty else {
            guard group != nil, draft.isBare else {
                throw InvalidRow.Reason(
                    "The row has neither an id nor a code; expected one of them.")
            }
            notes = [ImportNote(.furtherRow)]
            return nil
        }
        draft.scope = try readScope()
        draft.isListed = try readListed()
        for (column, name) in columns.attributes where column != salePrice {
            draft.attributes[name] = texts[column]
        }
        return draft
    }

    /// The text in a column; nil if there is no column or nothing in it.
    private func text(_ column: Int?) -> String? { column.flatMap { texts[$0] } }
}

/// Rows without a product.
extension RowInterpreter {
    /// A row with a sum in place of a product: `Total`, where its id or its name would be.
    private mutating func sum(_ row: borrowing CSVReader) -> ImportNote? {
        guard let first = row.fields.firstIndex(where: { !$0.range.isEmpty }),
            row.fields[first].range.count <= 24
        else { return nil }
        if row.fields.count == columns.names.count {
            for column in naming where column != first && row.hasText(column) { return nil }
        }
        guard let text = row.text(first), text.first?.isNumber == false,
            NameList.total.contains(ColumnName.simplified(text))
        else { return nil }
        hasTotal = true
        return ImportNote(.total, text)
    }

    /// A row after the total that is one text of several words: `Printed on 25.11.2026`.
    private func remark(_ row: borrowing CSVReader) -> ImportNote? {
        guard hasTotal, row.fields.count == 1, columns.names.count > 1, let text = row.text(0),
            text.contains(" "), text.contains(where: \.isLetter)
        else { return nil }
        return ImportNote(.heading, text)
    }

    /// Whether the row meets the conditions.
    ///
    /// Of an article with variants, some systems fill such columns in the first row only.
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

    /// A row without an id that has one text, in front or as the name, and nothing else.
    ///
    /// In front may be the column of codes, but a code with digits is one.
    private func heading(_ draft: ProductDraft) -> ImportNote? {
        guard draft.id == nil, draft.name == nil || draft.codes.isEmpty else { return nil }
        let filled = texts.indices.filter { texts[$0] != nil }
        guard filled.count == 1, filled[0] == name || filled[0] == 0,
            !prices.contains(filled[0]), let text = texts[filled[0]],
            text.contains(where: \.isLetter),
            draft.codes.isEmpty || name != nil && !text.contains(where: \.isNumber)
        else { return nil }
        return ImportNote(.heading, text)
    }
}

/// What a row says.
extension RowInterpreter {
    /// What shop systems call the only variant of an article.
    private static let onlyVariant: Set<String> = ["default title", "default", "regular"]

    /// Names a variant after its article, which only the first row names.
    private mutating func readVariant(into draft: inout ProductDraft) {
        let parts = variants.compactMap { texts[$0] }
            .filter { !Self.onlyVariant.contains($0.lowercased()) }
        if let group = text(group), !draft.isBare || !parts.isEmpty {
            if draft.name != nil || article?.group != group { article = (group, draft.name) }
            draft.name = article?.name
            // Options tell the variants of an article apart, whether or not they have codes.
            if id == nil { draft.id = ([group] + parts).joined(separator: "/") }
        }
        if let name = draft.name, !parts.isEmpty {
            draft.name = ([name] + parts).joined(separator: " - ")
        }
    }

    /// The shop whose offer the row is; nil if it is of all.
    private func readScope() throws -> CatalogScope? {
        guard let name = text(scope) else { return scopeOfAll }
        guard let scope = CatalogScope(name) else {
            throw InvalidRow.Reason.unreadable("scope", name, expected: CatalogScope.rule)
        }
        if let scopeOfAll, scope != scopeOfAll {
            throw InvalidRow.Reason(
                "The row is of the scope \(quoted: name), and the import of "
                    + "\(quoted: scopeOfAll.name); expected one of them.")
        }
        return scope
    }

    /// Whether the row lists its product; nil if it does not say.
    private func readListed() throws -> Bool? {
        guard let text = text(listed) else { return nil }
        switch text.lowercased() {
        case "yes", "true", "t", "1": return true
        case "no", "false", "f", "0": return false
        default:
            throw InvalidRow.Reason.unreadable(
                "value of \(columns.name(of: .listed))", text, expected: "yes or no")
        }
    }

    /// Reads the price, the sale price, and the times that one of them is for.
    private mutating func readPrices(into draft: inout ProductDraft) throws {
        let usual = try price(in: prices)
        let sale = try price(in: salePrice.map { [$0] } ?? [])
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
        if let usual { draft.prices = [usual.staged()] }
        // The times of a sale that is over stay in some systems.
        guard let sale else { return }
        let price = try dated(sale)
        if price.isDated {
            draft.prices.append(price)
        } else {
            draft.attributes[columns.names[salePrice]] = sale.text
            notes.append(ImportNote(.undatedSale, sale.text))
        }
    }

    /// The price with its times, if it has any.
    private func dated(_ price: WrittenPrice) throws -> ProductDraft.Price {
        func moment(in column: Int?, isEnd: Bool) throws -> Int64? {
            guard let column, let text = texts[column] else { return nil }
            return try time.read(text, of: columns.names[column], isEnd: isEnd)
        }
        let start = try moment(in: from, isEnd: false)
        let end = try moment(in: until, isEnd: true)
        guard (start ?? .min) < (end ?? .max) else {
            throw InvalidRow.Reason(
                "The price holds from \(quoted: text(from) ?? "") until \(quoted: text(until) ?? ""); "
                    + "expected an end after the beginning.")
        }
        return price.staged(from: start, until: end)
    }

    /// The price in the first of the columns that is filled.
    private mutating func price(in prices: [Int]) throws -> WrittenPrice? {
        let currency = text(currency).flatMap { Currency($0) }
        if let named = text(self.currency), currency == nil {
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
