import Barcodes
import GRDB
import WireText

extension EmbeddedCatalog {
    /// Looks for codes with a wrong check digit and for codes that products share.
    ///
    /// A number of 8, 12, 13 or 14 digits looks like a GTIN; eight digits are right as a GTIN-8 or
    /// as a UPC-E.
    ///
    /// - Parameter report: Is told of each finding: wrong check digits in the order of the products'
    ///   import, then shared codes in the order of the codes.
    /// - Throws: `CatalogError`, and what `report` throws.
    package func check(_ report: (CatalogFinding) throws -> Void) throws {
        try read(tries: 1) { db in
            try db.inTransaction(.deferred) {
                try reportWrongCheckDigits(db, report)
                try reportSharedCodes(db, report)
                return .commit
            }
        }
    }

    /// Looks for codes with a wrong check digit and for codes that products share.
    ///
    /// - Returns: All findings.
    /// - Throws: `CatalogError`.
    package func check() throws -> [CatalogFinding] {
        var findings: [CatalogFinding] = []
        try check { findings.append($0) }
        return findings
    }

    private func reportWrongCheckDigits(
        _ db: Database, _ report: (CatalogFinding) throws -> Void
    ) throws {
        // A valid GTIN has 14 digits for its key, so only codes that are their own keys can be wrong.
        let sql = """
            SELECT p.id, c.text FROM code AS c JOIN product AS p ON p.number = c.product
            WHERE c.key = c.text AND length(c.text) BETWEEN 8 AND 24
            ORDER BY c.product, c.position
            """
        let rows = try Row.fetchCursor(db, sql: sql)
        while let row = try rows.next() {
            let code: String = row[1]
            guard let digits = CodeKeys.digits(of: code) else { continue }
            do throws(GTINError) {
                _ = try GTIN(digits)
            } catch .wrongCheckDigit(_, let expected, _) {
                // Zeros for price and check digit list the item of a scale label.
                guard CodeKeys(code).all == [code], !digits.hasSuffix("00000") else { continue }
                try report(.wrongCheckDigit(product: row[0], code: code, expected: expected))
            } catch {}
        }
    }

    private func reportSharedCodes(
        _ db: Database, _ report: (CatalogFinding) throws -> Void
    ) throws {
        let sql = """
            SELECT c.key, p.id, c.text FROM code AS c JOIN product AS p ON p.number = c.product
            WHERE c.key IN (
                SELECT key FROM code GROUP BY key HAVING min(product) < max(product))
            ORDER BY c.key, c.product, c.position
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
    /// Several products have the same code, perhaps in different spellings.
    case sharedCode([Owner])

    /// A product and the code it has, as written.
    package struct Owner: Hashable, Sendable {
        /// The product's id.
        package var product: String
        /// The code in this product's spelling.
        package var code: String

        /// Names a product and a code of it.
        ///
        /// - Parameters:
        ///   - product: The product's id.
        ///   - code: The code in this product's spelling.
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
        case .sharedCode(let owners):
            let list = owners.map { "\($0.code.quoted()) of product \($0.product.quoted())" }
            return "Several products have the same code: \(list.joined(separator: ", ")); "
                + "a lookup finds product \((owners.first?.product ?? "").quoted())."
        }
    }
}
