package import Barcodes
import GRDB
import WireText

extension CatalogFile {
    /// Removes the products that are named, all or none, and says what became of each.
    ///
    /// They are looked up and removed in one transaction: no import comes in between. If several products
    /// have a code, none is removed, and `SharedCodeError` names them.
    @discardableResult
    package func remove(_ references: [ProductReference]) throws -> [RemovalOutcome] {
        try write(staging: { try Staging($0, Staging.Columns(), isWhole: false) }) { db, staging in
            var removed: Set<String> = []
            let outcomes = try references.map { reference -> RemovalOutcome in
                guard let product = try Self.product(reference, db) else { return .missing }
                return removed.insert(product.id).inserted
                    ? .removed(id: product.id, name: product.name) : .repeated(id: product.id)
            }
            _ = try staging.resolve()
            try staging.compare(removing: Array(removed))
            try staging.apply()
            return outcomes
        }
    }

    private static func product(_ reference: ProductReference, _ db: Database) throws -> Product? {
        switch reference {
        case .id(let id): return try ProductRows.product(db, id: id)?.product
        case .barcode(let barcode):
            // What else the text could be is no reason to remove a product.
            var sure = barcode
            sure.reading.alternatives = []
            let found = try Self.match(db, for: sure)
            guard let found, found.isAmbiguous else { return found?.product }
            throw SharedCodeError(code: barcode.text, ids: found.candidates.map(\.id))
        }
    }
}

/// A name for a product of a catalog.
package enum ProductReference: Hashable, Sendable {
    /// The shop's id, character for character.
    case id(String)
    /// Any of its codes, in whatever spelling a lookup finds it by.
    case barcode(Barcode)
}

/// The outcome for a product that was to be removed from a catalog.
package enum RemovalOutcome: Hashable, Sendable {
    /// It had this id, and a name or none.
    case removed(id: String, name: String?)
    /// It was named more than once, and is removed already.
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
