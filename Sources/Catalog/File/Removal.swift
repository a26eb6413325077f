package import Barcodes
import GRDB
import WireText

extension CatalogFile {
    /// Removes and returns products, with nil for unknown ones; throws if a barcode is ambiguous.
    @discardableResult
    package func remove(_ references: [ProductReference]) throws -> [Product?] {
        try write(staging: { try Staging($0, isWhole: false) }) { db, staging in
            let products = try references.map { try Self.product($0, db) }
            _ = try staging.resolve()
            try staging.compare(removing: products.compactMap { $0?.id })
            try staging.apply()
            return products
        }
    }

    private static func product(_ reference: ProductReference, _ db: Database) throws -> Product? {
        switch reference {
        case .id(let id): return try ProductRows.product(db, where: "p.id = ?", id)
        case .barcode(let barcode):
            // An alternative reading of the text is no reason to remove a product.
            var sure = barcode
            sure.reading.alternatives = []
            let found = try Self.match(db, for: sure)
            guard let found, found.isAmbiguous else { return found?.product }
            throw SharedCodeError(code: barcode.text, ids: found.candidates.map(\.id))
        }
    }
}

package enum ProductReference: Hashable, Sendable {
    case id(String)
    case barcode(Barcode)
}

/// A code that should identify one product, but belongs to several.
package struct SharedCodeError: Error, Equatable, Sendable, CustomStringConvertible {
    package let code: String
    /// The ids of the products that have the code; at most `Match.candidateLimit`.
    package let ids: [String]

    package var description: String {
        let ids = ids.map { $0.quoted() }.joined(separator: ", ")
        return "\(code.quoted()) is a code of several products; expected one of the ids \(ids)."
    }
}
