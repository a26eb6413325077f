import WireText

/// A row of a CSV file that cannot be imported.
package struct InvalidRow: Error, Equatable, Sendable {
    /// The line the row starts on; the header is line 1.
    package var line: Int
    /// What is wrong with it.
    package var reason: Reason

    /// Names a row.
    package init(line: Int, reason: Reason) {
        self.line = line
        self.reason = reason
    }
}

extension InvalidRow {
    /// What is wrong with a row; the sentences below say what each case means.
    package enum Reason: Error, Equatable, Sendable {
        case fieldCount(expected: Int, found: Int)
        case unclosedQuote
        case textAfterQuote(field: Int)
        case tooLong(limit: Int)
        case notUTF8(column: String, byte: UInt8)
        case nulCharacter(column: String)
        case unnamedColumn(number: Int, found: String)
        case price(PriceError)
        case currency(found: String)
        case time(found: String)
        case timeWithoutZone(found: String)
        case emptyTime(from: String, until: String)
        case priceThatNeverHolds(column: String, found: String, isEnd: Bool)
        case timeWithoutPrice
        case splitPrice(price: String, unit: String)
        case roundedCode(String)
        case numberForCode(String)
        case noIdentity
        case repeatedID(String)
        case repeatedCode(String)
        case codeIsOtherID(String)
        case movedCode(String, id: String)
        case scope(found: String)
        case otherScope(found: String, expected: String)
        case listed(found: String)
        case repeatedOffer(id: String, scope: String)
        case otherArticle(id: String, column: String, found: String, expected: String)
    }
}

extension InvalidRow: CustomStringConvertible {
    /// The row and what is wrong, as one sentence.
    package var description: String { "Line \(line): \(reason)" }
}

extension InvalidRow.Reason: CustomStringConvertible {
    /// What is wrong, as one sentence.
    package var description: String {
        switch self {
        case .fieldCount(let expected, let found):
            "The row has \(found) \(found == 1 ? "field" : "fields"); expected \(expected), "
                + "as the header has."
        case .unclosedQuote:
            "A quotation mark opens a field and none closes it; expected \" at its end."
        case .textAfterQuote(let field):
            "Field \(field) goes on behind its closing quotation mark; expected a delimiter or the "
                + "end of the line, and \"\" for a quotation mark within."
        case .tooLong(let limit):
            "The row is too long; expected at most \(limit) bytes."
        case .notUTF8(let column, let byte):
            "The column \(column.quoted()) is not UTF-8 (byte 0x"
                + String(byte, radix: 16, uppercase: true) + "); expected the file saved as UTF-8."
        case .nulCharacter(let column):
            "The column \(column.quoted()) contains a NUL character; expected text."
        case .unnamedColumn(let number, let found):
            "Column \(number) has no name but holds \(found.quoted()); expected it empty or named."
        default: contentDescription
        }
    }

    /// What is wrong with the meaning of a row that could be read.
    private var contentDescription: String {
        switch self {
        case .price(let error): error.description
        case .currency(let found):
            "The currency \(found.quoted()) is unknown; expected a code of ISO 4217 such as EUR."
        case .time(let found):
            "The time \(found.quoted()) cannot be read; expected one such as "
                + "2026-12-01T08:00:00+01:00, or a day such as 2026-12-01."
        case .timeWithoutZone(let found):
            "The time \(found.quoted()) is local; expected its offset, as in "
                + "2026-12-01T08:00:00+01:00, or --time-zone, as in --time-zone Europe/Berlin."
        case .emptyTime(let from, let until):
            "The price holds from \(from.quoted()) until \(until.quoted()); expected an end behind "
                + "the beginning."
        case .priceThatNeverHolds(let column, let found, let isEnd):
            "The column \(column.quoted()) holds \(found.quoted()), and the price would never hold; "
                + "expected a time, \(isEnd ? "infinity" : "-infinity") or nothing."
        case .timeWithoutPrice:
            "The row says when a price holds, and has none; expected a price."
        case .splitPrice(let price, let unit):
            "The unit \(unit.quoted()) looks like the decimals of the price \(price.quoted()); "
                + "expected \("\(price),\(unit)".quoted()) in quotation marks, or another unit."
        case .roundedCode(let code):
            "The code \(code.quoted()) was rounded by a spreadsheet; expected all its digits."
        case .numberForCode(let code):
            "The code \(code.quoted()) was taken for a number by a spreadsheet; expected its digits "
                + "alone, with any zeros ahead."
        case .noIdentity:
            "The row has neither an id nor a code; expected one of them."
        case .repeatedID(let id):
            "An earlier row has the id \(id.quoted()), too; expected each id once."
        case .repeatedCode(let code):
            "The code \(code.quoted()) belongs to the product of an earlier row; expected each first "
                + "code once, or a column of ids."
        case .movedCode(let code, let id):
            "The code \(code.quoted()) is one of the product \(id.quoted()), which the file does not "
                + "name; expected the same id, or --moved-codes take."
        case .codeIsOtherID(let code):
            "The code \(code.quoted()) is the id of a product that does not have this code; "
                + "expected a column of ids."
        default: offerDescription
        }
    }

    /// What is wrong with what a row says of a shop.
    private var offerDescription: String {
        switch self {
        case .scope(let found):
            "The scope \(found.quoted()) is none; expected \(CatalogScope.rule)."
        case .otherScope(let found, let expected):
            "The row is of the scope \(found.quoted()), and the import of \(expected.quoted()); "
                + "expected one of them."
        case .listed(let found):
            "Whether the product is listed cannot be read from \(found.quoted()); expected yes or no."
        case .repeatedOffer(let id, let scope):
            "An earlier row has the id \(id.quoted()) for the scope \(scope.quoted()), too; expected "
                + "each id once for a scope."
        case .otherArticle(let id, let column, let found, let expected):
            "The column \(column.quoted()) holds \(found.quoted()), and the article \(id.quoted()) of "
                + "other shops has \(expected.quoted()); expected the same, nothing, or a row without a "
                + "scope."
        default: ""
        }
    }
}
