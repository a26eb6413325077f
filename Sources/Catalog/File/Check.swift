import Barcodes
import GRDB
import WireText

extension CatalogFile {
    /// Reports wrong check digits, lost leading zeros and codes shared by several products, each in a sentence.
    ///
    /// A number of 8, 12, 13 or 14 digits is checked as a GTIN; one of 8 digits may also be a UPC-E. A number of 7, 10
    /// or 11 digits may be a GTIN that lost its leading zeros in a spreadsheet.
    package func check(_ report: (String) throws -> Void) throws {
        try readAtOnce(tries: 1) { db in
            try reportWrongNumbers(db, report)
            try reportSharedCodes(db, report)
        }
    }

    private func reportWrongNumbers(_ db: Database, _ report: (String) throws -> Void) throws {
        // The key of a valid GTIN has 14 digits, so only codes that are their own keys can be wrong.
        let sql = """
            SELECT p.id, c.text FROM code AS c JOIN product AS p ON p.number = c.product
            WHERE c.key = c.text AND length(c.text) BETWEEN 7 AND 24
            ORDER BY c.product, c.position
            """
        let rows = try Row.fetchCursor(db, sql: sql)
        while let row = try rows.next() {
            let (product, code): (String, String) = (row[0], row[1])
            let subject = "The code \(code.quoted()) of product \(product.quoted())"
            if let meant = LostZeros.restored(code) {
                try report("\(subject) has probably lost its zeros; expected \(meant.quoted()).")
            } else if let expected = Self.checkDigit(of: code) {
                let found = code.last.map(String.init) ?? "none"
                try report(
                    "\(subject) ends in a wrong check digit; expected \(expected), got \(found).")
            }
        }
    }

    /// Returns the correct check digit if a GTIN seems to have a wrong one; otherwise nil.
    private static func checkDigit(of code: String) -> Int? {
        guard let digits = CodeKeys.digits(of: code) else { return nil }
        do throws(GTINError) {
            _ = try GTIN(digits)
        } catch .wrongCheckDigit(_, let expected, _) {
            // A code with zeros in place of the price and check digit identifies an item on scale labels.
            return CodeKeys(code).all == [code] && !digits.hasSuffix("00000") ? expected : nil
        } catch {}
        return nil
    }

    private func reportSharedCodes(_ db: Database, _ report: (String) throws -> Void) throws {
        let shared = "SELECT key FROM code GROUP BY key HAVING min(product) < max(product)"
        let keys = try String.fetchCursor(db, sql: shared)
        let owners = try db.makeStatement(
            sql: """
                SELECT p.id, c.text, min(c.position) FROM code AS c JOIN product AS p ON p.number = c.product
                WHERE c.key = ? GROUP BY p.id ORDER BY p.id
                """)
        while let key = try keys.next() {
            let owners = try Row.fetchAll(owners, arguments: [key]).map { row in
                (product: (row[0] as String).quoted(), code: (row[1] as String).quoted())
            }
            let list = owners.map { "\($0.code) of product \($0.product)" }
            try report(
                "Several products have the same code: \(list.joined(separator: ", ")); "
                    + "a lookup finds product \(owners.first?.product ?? "").")
        }
    }
}
