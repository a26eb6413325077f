import Barcodes
import GRDB
import WireText

extension CatalogFile {
    /// Looks for codes with a wrong check digit, for numbers that have lost zeros, and for codes that
    /// products share.
    ///
    /// A number of 8, 12, 13 or 14 digits looks like a GTIN; eight digits are right as a GTIN-8 or
    /// as a UPC-E. One of 7, 10 or 11 digits may be a GTIN without the zeros ahead of it, which a
    /// spreadsheet has taken away.
    package func check(_ report: (CatalogFinding) throws -> Void) throws {
        try readAtOnce(tries: 1) { db in
            try reportWrongNumbers(db, report)
            try reportSharedCodes(db, report)
        }
    }

    private func reportWrongNumbers(
        _ db: Database, _ report: (CatalogFinding) throws -> Void
    ) throws {
        // A valid GTIN has 14 digits for its key, so only codes that are their own keys can be wrong.
        let sql = """
            SELECT p.id, c.text FROM code AS c JOIN product AS p ON p.number = c.product
            WHERE c.key = c.text AND length(c.text) BETWEEN 7 AND 24
            ORDER BY c.product, c.position
            """
        let rows = try Row.fetchCursor(db, sql: sql)
        while let row = try rows.next() {
            let (product, code): (String, String) = (row[0], row[1])
            if let meant = LostZeros.restored(code) {
                try report(.lostZeros(product: product, code: code, meant: meant))
            } else if let expected = Self.checkDigit(of: code) {
                try report(.wrongCheckDigit(product: product, code: code, expected: expected))
            }
        }
    }

    /// The right check digit of a number that has a wrong one; nil for anything else.
    private static func checkDigit(of code: String) -> Int? {
        guard let digits = CodeKeys.digits(of: code) else { return nil }
        do throws(GTINError) {
            _ = try GTIN(digits)
        } catch .wrongCheckDigit(_, let expected, _) {
            // Zeros for price and check digit list the item of a scale label.
            return CodeKeys(code).all == [code] && !digits.hasSuffix("00000") ? expected : nil
        } catch {}
        return nil
    }

    private func reportSharedCodes(
        _ db: Database, _ report: (CatalogFinding) throws -> Void
    ) throws {
        let sql = """
            SELECT c.key, p.id, c.text FROM code AS c JOIN product AS p ON p.number = c.product
            WHERE c.key IN (
                SELECT key FROM code GROUP BY key HAVING min(product) < max(product))
            ORDER BY c.key, p.id, c.position
            """
        let rows = try Row.fetchCursor(db, sql: sql)
        var key: String?
        var owners: [CatalogFinding.Owner] = []
        while let row = try rows.next() {
            if let key, key != row[0] {
                try report(.sharedCode(owners))
                owners = []
            }
            key = row[0]
            let owner = CatalogFinding.Owner(product: row[1], code: row[2])
            if owners.last?.product != owner.product { owners.append(owner) }
        }
        if !owners.isEmpty { try report(.sharedCode(owners)) }
    }
}

/// Something in a catalog that is probably wrong.
package enum CatalogFinding: Hashable, Sendable {
    /// A code looks like a GTIN, but its last digit is not the check digit of the others.
    case wrongCheckDigit(product: String, code: String, expected: Int)
    /// A code is a GTIN without the zeros ahead of it, which no scan finds.
    case lostZeros(product: String, code: String, meant: String)
    /// Several products have the same code, perhaps in different spellings.
    case sharedCode([Owner])

    /// A product and the code it has, as written.
    package struct Owner: Hashable, Sendable {
        /// The product's id.
        package var product: String
        /// The code in this product's spelling.
        package var code: String

        /// Names a product and a code of it.
        package init(product: String, code: String) {
            self.product = product
            self.code = code
        }
    }
}

extension CatalogFinding: CustomStringConvertible {
    /// The finding as one sentence.
    package var description: String {
        switch self {
        case .wrongCheckDigit(let product, let code, let expected):
            return
                "The code \(code.quoted()) of product \(product.quoted()) ends in a wrong check digit; "
                + "expected \(expected), got \(code.last.map(String.init) ?? "none")."
        case .lostZeros(let product, let code, let meant):
            return
                "The code \(code.quoted()) of product \(product.quoted()) has probably lost its zeros; "
                + "expected \(meant.quoted())."
        case .sharedCode(let owners):
            let list = owners.map { "\($0.code.quoted()) of product \($0.product.quoted())" }
            return "Several products have the same code: \(list.joined(separator: ", ")); "
                + "a lookup finds product \((owners.first?.product ?? "").quoted())."
        }
    }
}
