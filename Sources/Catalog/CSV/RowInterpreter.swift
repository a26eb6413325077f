import Barcodes
import Foundation

/// Makes products of rows.
struct RowInterpreter {
    /// What the columns hold.
    let columns: ColumnMap
    /// What the rows read so far say of how prices are written.
    private(set) var notation: PriceNotation
    /// What the row just read was taken for otherwise than the file has it.
    private(set) var notes: [ImportNote] = []
    private let fallback: Currency?
    private let codes: CodeReader
    private let id, name, currency, unit, salePrice, scope, listed, group: Int?
    private let prices, variants: [Int]
    private let times: (from: Int?, until: Int?)
    private let time: WrittenTime
    /// The shop that all rows are of; nil if a column says whose they are.
    private let scopeOfAll: CatalogScope?
    /// The article whose variants are being read, and its name.
    private var article: (group: String, name: String?)?

    /// Prepares to read.
    init(columns: ColumnMap, options: ImportOptions = ImportOptions()) {
        self.columns = columns
        notation = PriceNotation(given: options.decimalMark)
        codes = CodeReader(columns, keepsCodes: options.keepsCodes)
        id = columns.column(.id)
        name = columns.column(.name)
        unit = columns.column(.unit)
        group = columns.column(.group)
        salePrice = columns.column(.salePrice)
        currency = columns.column(.currency)
        (scope, listed) = (columns.column(.scope), columns.column(.listed))
        times = (columns.column(.validFrom), columns.column(.validUntil))
        (prices, variants) = (columns.columns[.price] ?? [], columns.columns[.variant] ?? [])
        time = WrittenTime(zone: options.timeZone)
        scopeOfAll = options.scope
        fallback =
            prices.first.flatMap { Self.currency(inHeader: columns.names[$0]) }
            ?? options.currency
    }

    /// The currency that the name of a price column ends with: `price (EUR)`, `Preis in €`.
    private static func currency(inHeader name: String) -> Currency? {
        if name.contains("€") { return Currency("EUR") }
        guard let last = ColumnName.words(name).last, PriceName(name) == .unclear else {
            return nil
        }
        return Currency(last)
    }

    /// Reads the row a reader has just found; nil if it has no product, as `notes` says.
    mutating func draft(of row: borrowing CSVReader) throws(InvalidRow.Reason) -> ProductDraft? {
        notes.removeAll(keepingCapacity: true)
        if isTotal(row) { return nil }
        guard row.fields.count == columns.names.count else {
            throw .fieldCount(expected: columns.names.count, found: row.fields.count)
        }
        for column in columns.unnamed {
            if let found = try text(column, of: row) {
                throw .unnamedColumn(number: column + 1, found: found)
            }
        }
        var draft = ProductDraft()
        draft.id = try text(id, of: row)
        draft.codes = try codes.codes(of: row, columns, &notes)
        draft.name = try text(name, of: row)
        draft.unit = try text(unit, of: row)
        try readPrices(of: row, into: &draft)
        try readVariant(of: row, into: &draft)
        if isHeading(row, draft) { return nil }
        guard draft.id != nil || !draft.codes.isEmpty else {
            if group != nil, draft.isBare {
                notes = [ImportNote(.furtherRow)]
                return nil
            }
            throw .noIdentity
        }
        draft.scope = try scope(of: row)
        draft.isListed = try isListed(row)
        for (column, name) in columns.attributes where column != salePrice {
            draft.attributes[name] = try text(column, of: row)
        }
        return draft
    }

    /// Whether a row has a sum in place of a product: `Total`, where its id or its name would be.
    private mutating func isTotal(_ row: borrowing CSVReader) -> Bool {
        let isWhole = row.fields.count == columns.names.count
        guard let first = row.fields.firstIndex(where: { !$0.range.isEmpty }),
            !isWhole
                || !hasText(id, row, but: first) && !hasText(name, row, but: first)
                    && !codes.hasText(row, but: first),
            row.fields[first].range.count <= 24,
            let text = row.text(first), text.first?.isNumber == false,
            Self.totals.contains(ColumnName.simplified(text))
        else { return false }
        notes = [ImportNote(.total, text)]
        return true
    }

    private func hasText(_ column: Int?, _ row: borrowing CSVReader, but other: Int) -> Bool {
        column.map { $0 != other && row.hasText($0) } ?? false
    }

    private static let totals: Set<String> = [
        "total", "totals", "grandtotal", "sum", "summe", "gesamt", "gesamtsumme", "zwischensumme",
        "subtotal", "totale", "totaal", "suma", "soma", "razem", "celkem", "итого", "合计", "合計",
    ]

    /// Whether a row without an id has one text, in front or as the name, and nothing else.
    ///
    /// In front may be the column of codes, but a code with digits is one.
    private mutating func isHeading(_ row: borrowing CSVReader, _ draft: ProductDraft) -> Bool {
        guard draft.id == nil, draft.name == nil || draft.codes.isEmpty else { return false }
        let filled = row.fields.indices.filter { !row.fields[$0].range.isEmpty }
        guard filled.count == 1, filled[0] == name || filled[0] == 0,
            !prices.contains(filled[0]), let text = row.text(filled[0]),
            text.contains(where: \.isLetter),
            draft.codes.isEmpty || name != nil && !text.contains(where: \.isNumber)
        else { return false }
        notes = [ImportNote(.heading, text)]
        return true
    }

    /// Names a variant after its article, which only the first row names.
    private mutating func readVariant(
        of row: borrowing CSVReader, into draft: inout ProductDraft
    ) throws(InvalidRow.Reason) {
        var parts: [String] = []
        for column in variants {
            if let part = try text(column, of: row), !Self.onlyVariant.contains(part.lowercased()) {
                parts.append(part)
            }
        }
        if let group = try text(group, of: row), !draft.isBare || !parts.isEmpty {
            if draft.name != nil || article?.group != group { article = (group, draft.name) }
            draft.name = article?.name
            // Options tell the variants of an article apart, whether or not they have codes.
            if id == nil { draft.id = ([group] + parts).joined(separator: "/") }
        }
        if let name = draft.name, !parts.isEmpty {
            draft.name = ([name] + parts).joined(separator: " - ")
        }
    }

    /// What shop systems call the only variant of an article.
    private static let onlyVariant: Set<String> = ["default title", "default", "regular"]

    /// The shop whose offer the row is; nil if it is of all.
    private func scope(of row: borrowing CSVReader) throws(InvalidRow.Reason) -> CatalogScope? {
        guard let name = try text(scope, of: row) else { return scopeOfAll }
        guard let scope = CatalogScope(name) else { throw .scope(found: name) }
        if let scopeOfAll, scope != scopeOfAll {
            throw .otherScope(found: name, expected: scopeOfAll.name)
        }
        return scope
    }

    /// Whether the row lists its product; nil if it does not say.
    private func isListed(_ row: borrowing CSVReader) throws(InvalidRow.Reason) -> Bool? {
        guard let text = try text(listed, of: row) else { return nil }
        switch text.lowercased() {
        case "yes", "true", "t", "1": return true
        case "no", "false", "f", "0": return false
        default: throw .listed(found: text)
        }
    }

    /// The text in a column; nil if there is no column or nothing in it.
    private func text(
        _ column: Int?, of row: borrowing CSVReader
    ) throws(InvalidRow.Reason) -> String? {
        guard let column else { return nil }
        return try row.checkedText(column, columns)
    }

    /// Reads the price, the sale price, and the times that one of them is for.
    private mutating func readPrices(
        of row: borrowing CSVReader, into draft: inout ProductDraft
    ) throws(InvalidRow.Reason) {
        let usual = try price(in: prices, of: row, unit: draft.unit)
        let sale = try price(in: salePrice.map { [$0] } ?? [], of: row, unit: nil)
        let from = try text(times.from, of: row)
        let until = try text(times.until, of: row)
        guard salePrice == nil else {
            draft.usual = usual
            // The times of a sale that is over stay in some systems.
            guard let sale, let salePrice else { return }
            if try !draft.add(sale, period(from, until)) {
                draft.attributes[columns.names[salePrice]] = try text(salePrice, of: row)
                notes.append(ImportNote(.undatedSale, sale.text))
            }
            return
        }
        guard let usual else {
            if from != nil || until != nil { throw .timeWithoutPrice }
            return
        }
        draft.isDated = try draft.add(usual, period(from, until))
        if !draft.isDated { draft.usual = usual }
    }

    /// The beginning and the end of a time; each is nil if there is none.
    private func period(
        _ from: String?, _ until: String?
    ) throws(InvalidRow.Reason) -> (from: Int64?, until: Int64?) {
        let period = (
            from: try moment(from, in: times.from, isEnd: false),
            until: try moment(until, in: times.until, isEnd: true)
        )
        guard (period.from ?? .min) < (period.until ?? .max) else {
            throw .emptyTime(from: from ?? "", until: until ?? "")
        }
        return period
    }

    /// The beginning or the end in a column; nil if there is none.
    private func moment(
        _ text: String?, in column: Int?, isEnd: Bool
    ) throws(InvalidRow.Reason) -> Int64? {
        guard let text, let column else { return nil }
        switch try time.read(text, isEnd: isEnd) {
        case .moment(let moment): return moment
        case .open: return nil
        case .never:
            throw .priceThatNeverHolds(column: columns.names[column], found: text, isEnd: isEnd)
        }
    }

    /// The price in the first of the columns that is filled.
    private mutating func price(
        in prices: [Int], of row: borrowing CSVReader, unit: String?
    ) throws(InvalidRow.Reason) -> PriceReading? {
        let named = try text(currency, of: row)
        let currency = named.flatMap { Currency($0) }
        if let named, currency == nil { throw .currency(found: named) }
        for column in prices {
            guard let text = try text(column, of: row) else { continue }
            if let unit, self.unit == column + 1, Self.isSplit(text, unit) {
                throw .splitPrice(price: text, unit: unit)
            }
            if text.utf8.count == 8, text.lowercased() == "variable" {
                notes.append(ImportNote(.variablePrice))
                return nil
            }
            do throws(PriceError) {
                return try notation.read(text, column: currency, fallback: fallback)
            } catch {
                throw .price(error)
            }
        }
        return nil
    }

    /// Whether a price and the unit after it look like `1,99` without quotation marks.
    private static func isSplit(_ price: String, _ unit: String) -> Bool {
        unit.utf8.count == 2 && unit.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && price.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

extension CSVReader {
    /// Whether the row just read has something in a column.
    func hasText(_ column: Int) -> Bool {
        column < fields.count && !fields[column].range.isEmpty
    }

    /// The text of a field of the row just read; nil if it is empty.
    func checkedText(_ column: Int, _ columns: ColumnMap) throws(InvalidRow.Reason) -> String? {
        guard !fields[column].range.isEmpty else { return nil }
        guard let text = text(column) else {
            throw .notUTF8(column: columns.names[column], byte: firstInvalidByte(column))
        }
        guard !hasNUL(column) else { throw .nulCharacter(column: columns.names[column]) }
        return text
    }
}
