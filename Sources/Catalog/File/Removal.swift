package import Barcodes
import GRDB
import WireText

extension CatalogFile {
    /// Removes products by their ids, all or none, and returns how many were there.
    @discardableResult
    package func remove(ids: some Sequence<String>) throws -> Int {
        let outcomes = try remove(ids.map { .id($0) })
        return outcomes.reduce(0) { count, outcome in
            if case .removed = outcome { count + 1 } else { count }
        }
    }

    /// Removes the products that are named, all or none, and says what became of each.
    ///
    /// They are looked up and removed in one transaction: no import comes in between. If several products
    /// have a code, none is removed, and `SharedCodeError` names them.
    @discardableResult
    package func remove(_ references: [ProductReference]) throws -> [RemovalOutcome] {
        try write { db in
            // All are looked up first: a code that is shared does not become the only one.
            let products = try references.map { try Self.product($0, db) }
            var removed: Set<Int64> = []
            return try products.map { product in
                guard let product else { return .missing }
                guard removed.insert(product.number).inserted else {
                    return .repeated(id: product.product.id)
                }
                try ProductRows.remove(db, number: product.number)
                return .removed(id: product.product.id, name: product.product.name)
            }
        }
    }

    private static func product(
        _ reference: ProductReference, _ db: Database
    ) throws -> ProductRows.Numbered? {
        switch reference {
        case .id(let id): return try ProductRows.product(db, id: id)
        case .barcode(let barcode):
            // What else the text could be is no reason to remove a product.
            var sure = barcode
            sure.reading.alternatives = []
            guard let found = try Self.match(db, for: sure) else { return nil }
            guard !found.isAmbiguous else {
                throw SharedCodeError(code: barcode.text, ids: found.candidates.map(\.id))
            }
            return try ProductRows.product(db, id: found.product.id)
        }
    }
}

/// What names a product of a catalog.
package enum ProductReference: Hashable, Sendable {
    /// What the shop calls it by, character for character.
    case id(String)
    /// Any of its codes, in whatever spelling a lookup finds it by.
    case barcode(Barcode)
}

/// What became of a product that was to be taken out of a catalog.
package enum RemovalOutcome: Hashable, Sendable {
    /// It was taken out; it had this id, and a name or none.
    case removed(id: String, name: String?)
    /// It was named more than once, and is taken out already.
    case repeated(id: String)
    /// The catalog had no such product.
    case missing
}

/// A code that was to name one product, and several have it.
package struct SharedCodeError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The code, without its AIM identifier.
    package let code: String

    /// The ids of the products; at most `Match.candidateLimit`.
    package let ids: [String]

    /// Makes an error.
    package init(code: String, ids: [String]) {
        self.code = code
        self.ids = ids
    }

    /// The error as one sentence.
    package var description: String {
        let ids = ids.map { $0.quoted() }.joined(separator: ", ")
        return "\(code.quoted()) is a code of several products; expected one of the ids \(ids)."
    }
}
