import WireText

/// A row of a CSV file that cannot be imported.
package struct InvalidRow: Error, Equatable, Sendable {
    /// The line the row starts on; the header is line 1.
    package var line: Int
    /// What is wrong with it.
    package var reason: Reason

    /// Names a row.
    ///
    /// - Parameters:
    ///   - line: The line the row starts on; the header is line 1.
    ///   - reason: What is wrong with it.
    package init(line: Int, reason: Reason) {
        self.line = line
        self.reason = reason
    }
}

extension InvalidRow {
    /// What is wrong with a row.
    package enum Reason: Error, Equatable, Sendable {
        /// The row has more or fewer fields than the header.
        case fieldCount(expected: Int, found: Int)
        /// A quoted field is not closed.
        case unclosedQuote
        /// Something follows the closing quote of the field (1-based).
        case textAfterQuote(field: Int)
        /// The row has more bytes than the limit.
        case tooLong(limit: Int)
        /// A field is not UTF-8.
        case notUTF8(column: String, byte: UInt8)
        /// A field contains a NUL character.
        case nulCharacter(column: String)
        /// A column without a name holds something.
        case unnamedColumn(number: Int, found: String)
        /// The price is no price.
        case price(PriceError)
        /// The currency column holds no currency.
        case currency(found: String)
        /// A time of a price is none.
        case time(found: String)
        /// A time of a price is local, and no time zone is known.
        case timeWithoutZone(found: String)
        /// A price for a time ends before it begins.
        case emptyTime(from: String, until: String)
        /// A price begins at a time that never comes, or ends ahead of all time.
        case priceThatNeverHolds(column: String, found: String, isEnd: Bool)
        /// There is a time, and no price that holds then.
        case timeWithoutPrice
        /// The unit looks like the decimals of a price that an unquoted comma has split.
        case splitPrice(price: String, unit: String)
        /// A spreadsheet has rounded the code.
        case roundedCode(String)
        /// A spreadsheet has taken the code for a number, and zeros ahead of it may be lost.
        case numberForCode(String)
        /// The row has neither an id nor a code.
        case noIdentity
        /// An earlier row has the same id.
        case repeatedID(String)
        /// The row has no id, and its first code belongs to the product of an earlier row.
        case repeatedCode(String)
        /// The row has no id, and its first code is the id of a product without that code.
        case codeIsOtherID(String)
        /// Another product has a code of the row's id, and codes may not move.
        case movedCode(String, id: String)
        /// The shop's name is none.
        case scope(found: String)
        /// The row is of another shop than the import.
        case otherScope(found: String, expected: String)
        /// Whether a product is listed is said in other words than known.
        case listed(found: String)
        /// An earlier row says what the shop has in place of this product.
        case repeatedOffer(id: String, scope: String)
        /// The row of a shop says something else of an article that only other shops have.
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
