import Barcodes
import Foundation

/// Makes products of rows.
struct RowInterpreter {
    /// What the columns hold.
    let columns: ColumnMap
    private let fallback: Currency?
    private let id: Int?
    private let codes: [Int]
    private let name: Int?
    private let price: Int?
    private let currency: Int?
    private let unit: Int?
    private let times: (from: Int?, until: Int?)
    private let salePrice: Int?
    private let time: WrittenTime
    private let (scope, listed): (Int?, Int?)
    /// The shop that all rows are of; nil where a column says whose they are.
    private let scopeOfAll: CatalogScope?

    init(
        columns: ColumnMap, currency: Currency?, zone: TimeZone? = nil, scope: CatalogScope? = nil
    ) {
        (self.scope, listed) = (columns.column(.scope), columns.column(.listed))
        scopeOfAll = scope
        times = (columns.column(.validFrom), columns.column(.validUntil))
        salePrice = columns.column(.salePrice)
        time = WrittenTime(zone: zone)
        self.columns = columns
        fallback = currency
        id = columns.column(.id)
        codes = columns.columns[.code] ?? []
        name = columns.column(.name)
        price = columns.column(.price)
        self.currency = columns.column(.currency)
        unit = columns.column(.unit)
    }

    /// Reads the row a reader has just found.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - mended: Where codes are added that a spreadsheet had damaged.
    /// - Returns: The product.
    /// - Throws: What is wrong with the row.
    func draft(
        of row: borrowing CSVReader, mended: inout [MendedCode]
    ) throws(InvalidRow.Reason) -> ProductDraft {
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
        draft.codes = try codes(of: row, &mended)
        guard draft.id != nil || !draft.codes.isEmpty else { throw .noIdentity }
        draft.name = try text(name, of: row)
        draft.unit = try text(unit, of: row)
        draft.price = try price(in: price, of: row, unit: draft.unit)
        try readTimes(of: row, into: &draft)
        draft.scope = try scope(of: row)
        draft.isListed = try isListed(row)
        for (column, name) in columns.attributes {
            draft.attributes[name] = try text(column, of: row)
        }
        return draft
    }

    /// The shop whose offer the row is; nil where it is of all.
    private func scope(of row: borrowing CSVReader) throws(InvalidRow.Reason) -> CatalogScope? {
        guard let name = try text(scope, of: row) else { return scopeOfAll }
        guard let scope = CatalogScope(name) else { throw .scope(found: name) }
        if let scopeOfAll, scope != scopeOfAll {
            throw .otherScope(found: name, expected: scopeOfAll.name)
        }
        return scope
    }

    /// Whether the row lists its product; nil where it does not say.
    private func isListed(_ row: borrowing CSVReader) throws(InvalidRow.Reason) -> Bool? {
        guard let text = try text(listed, of: row) else { return nil }
        switch text.lowercased() {
        case "yes", "true", "t", "1": return true
        case "no", "false", "f", "0": return false
        default: throw .listed(found: text)
        }
    }

    /// The text in a column; nil where there is no column or nothing in it.
    private func text(
        _ column: Int?, of row: borrowing CSVReader
    ) throws(InvalidRow.Reason) -> String? {
        guard let column, !row.fields[column].range.isEmpty else { return nil }
        guard let text = row.text(column) else {
            throw .notUTF8(column: columns.names[column], byte: row.firstInvalidByte(column))
        }
        guard !text.utf8.contains(0) else { throw .nulCharacter(column: columns.names[column]) }
        return text
    }

    /// The codes of all columns in their order, each once.
    private func codes(
        of row: borrowing CSVReader, _ mended: inout [MendedCode]
    ) throws(InvalidRow.Reason) -> [String] {
        var found: [String] = []
        for column in codes {
            guard let text = try text(column, of: row) else { continue }
            for written in CodeField.codes(in: text) {
                if let gtin = Self.linkedGTIN(written) {
                    if !found.contains(gtin) { found.append(gtin) }
                    continue
                }
                let code = try Self.mended(written, in: text)
                if code != written { mended.append(MendedCode(written: written, meant: code)) }
                if !found.contains(code) { found.append(code) }
            }
        }
        return found
    }

    /// A code without what a spreadsheet has made of it.
    ///
    /// A field with a bar is no spreadsheet's: what stands in it is meant.
    private static func mended(
        _ code: String, in field: String
    ) throws(InvalidRow.Reason) -> String {
        switch SpreadsheetNumber(code) {
        case .none: return code
        case .rounded: throw .roundedCode(code)
        case _ where CodeField.isSeparated(field): return code
        case .mended(let meant): return meant
        case .withDecimals: throw .numberForCode(code)
        }
    }

    /// The GTIN in a GS1 Digital Link, for that is what a scanner of its linear symbol reads.
    private static func linkedGTIN(_ code: String) -> String? {
        guard code.utf8.starts(with: "http".utf8) || code.utf8.starts(with: "HTTP".utf8) else {
            return nil
        }
        return BarcodeDecoder().decode(code).gtin?.text
    }

    /// Reads when the price holds, and whether it is the usual one.
    private func readTimes(
        of row: borrowing CSVReader, into draft: inout ProductDraft
    ) throws(InvalidRow.Reason) {
        let sale = try price(in: salePrice, of: row, unit: nil)
        let from = try text(times.from, of: row)
        let until = try text(times.until, of: row)
        guard from != nil || until != nil else {
            // A sale without a time is simply the price.
            draft.price = sale ?? draft.price
            return
        }
        // The times of a sale that is over stay behind in some systems.
        if salePrice != nil, sale == nil { return }
        guard let price = sale ?? draft.price else { throw .timeWithoutPrice }
        draft.isDated = salePrice == nil
        if draft.isDated { draft.price = nil }
        draft.datedPrices = try datedPrice(price, from, until).map { [$0] } ?? []
        if draft.datedPrices.isEmpty {
            draft.isDated = false
            draft.price = price
        }
    }

    /// A price for a time; nil where that is all time.
    private func datedPrice(
        _ price: Price, _ from: String?, _ until: String?
    ) throws(InvalidRow.Reason) -> DatedPrice? {
        let start = try moment(from, in: times.from, isEnd: false)
        let end = try moment(until, in: times.until, isEnd: true)
        guard start != nil || end != nil else { return nil }
        guard let dated = DatedPrice(price, from: start, until: end) else {
            throw .emptyTime(from: from ?? "", until: until ?? "")
        }
        return dated
    }

    /// The beginning or the end in a column; nil where there is none.
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

    private func price(
        in column: Int?, of row: borrowing CSVReader, unit: String?
    ) throws(InvalidRow.Reason) -> Price? {
        let named = try text(currency, of: row)
        let currency = named.flatMap { Currency($0) }
        if let named, currency == nil { throw .currency(found: named) }
        guard let text = try text(column, of: row) else { return nil }
        if let unit, self.unit == self.price.map({ $0 + 1 }), Self.isSplit(text, unit) {
            throw .splitPrice(price: text, unit: unit)
        }
        do throws(PriceError) {
            return try Price(reading: text, column: currency, fallback: fallback)
        } catch {
            throw .price(error)
        }
    }

    /// Whether a price and the unit behind it look like `1,99` without quotation marks.
    private static func isSplit(_ price: String, _ unit: String) -> Bool {
        unit.utf8.count == 2 && unit.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && price.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

/// What a row says of a product.
struct ProductDraft: Equatable {
    var id: String?
    var codes: [String] = []
    var name: String?
    var price: Price?
    var unit: String?
    var attributes: [String: String] = [:]
    /// Prices for a time.
    var datedPrices: [DatedPrice] = []
    /// Whether the row has a price for a time in place of the usual one.
    var isDated = false
    /// The shop whose offer the row is; nil where it says what all shops have.
    var scope: CatalogScope?
    /// Whether it is listed; nil where the row does not say.
    var isListed: Bool?

    /// The product a row adds; an id it lacks is its first code.
    var product: Product {
        Product(
            id: id ?? codes.first ?? "", codes: codes, name: name, price: price, unit: unit,
            attributes: attributes)
    }

    /// A product of the catalog as the row wants it: what the file has no column for stays.
    ///
    /// A row with an id says all codes of its product. A row that goes by a code adds codes and
    /// takes none away: a price list has one code a row, however many the product has.
    func updating(_ product: Product, columns: ColumnMap) -> Product {
        var result = product
        if columns.columns[.code] != nil {
            result.codes = id == nil ? Self.merged(product.codes, codes) : codes
        }
        if columns.columns[.name] != nil { result.name = name }
        if columns.columns[.price] != nil { result.price = price }
        if columns.columns[.unit] != nil { result.unit = unit }
        for (_, name) in columns.attributes { result.attributes[name] = attributes[name] }
        return result
    }

    /// An article that only rows of shops name, as one of them wants it: what it leaves empty stays.
    func completing(_ product: Product) -> Product {
        var result = product
        if !codes.isEmpty { result.codes = id == nil ? Self.merged(product.codes, codes) : codes }
        result.name = name ?? product.name
        result.unit = unit ?? product.unit
        result.attributes.merge(attributes) { $1 }
        return result
    }

    /// Makes sure that a row says nothing else of an article that only other shops have: what it leaves
    /// empty does not matter, nor how it spells a code.
    func checkAgreement(
        with product: Product, columns: ColumnMap
    ) throws(InvalidRow.Reason) {
        let known = Set(product.codes.map { CodeKeys($0).first })
        if !codes.allSatisfy({ known.contains(CodeKeys($0).first) }) {
            throw .otherArticle(
                id: product.id, column: columns.name(of: .code),
                found: CodeField.field(of: codes), expected: CodeField.field(of: product.codes))
        }
        let fields =
            [
                (columns.name(of: .name), name, product.name),
                (columns.name(of: .unit), unit, product.unit),
            ]
            + columns.attributes.map { ($0.name, attributes[$0.name], product.attributes[$0.name]) }
        for case (let column, let found?, let expected) in fields where found != expected {
            throw .otherArticle(
                id: product.id, column: column, found: found, expected: expected ?? "")
        }
    }

    /// The codes, and behind them the others that are no spelling of one of them.
    static func merged(_ codes: [String], _ others: [String]) -> [String] {
        var known = Set(codes.map { CodeKeys($0).first })
        return codes + others.filter { known.insert(CodeKeys($0).first).inserted }
    }
}
