/// How far a reader of changes has come.
package struct ChangeCursor: Hashable, Sendable {
    /// Where in the changes it is.
    enum Position: Hashable, Sendable {
        /// It has everything up to the revision.
        case start
        /// It is reading all products, and has those up to this number; next come the changes since
        /// the revision.
        case products(number: Int64)
        /// It has the changes up to this one: the revision it is of, and the product's number.
        case changes(revision: Int64, number: Int64)
    }

    /// The revision the reader started from.
    let base: CatalogRevision
    let position: Position

    init(base: CatalogRevision, position: Position) {
        self.base = base
        self.position = position
    }

    /// The cursor of a reader that has everything up to a revision.
    ///
    /// - Parameter revision: The revision.
    package init(_ revision: CatalogRevision) {
        self.init(base: revision, position: .start)
    }

    /// Reads a cursor; nil where the text is none.
    ///
    /// - Parameter text: As `description` writes it.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let base = parts.first.flatMap({ CatalogRevision(String($0)) }) else { return nil }
        switch parts.count {
        case 1: self.init(base)
        case 3:
            guard let number = CatalogRevision.number(parts[2]) else { return nil }
            if parts[1] == "all" {
                self.init(base: base, position: .products(number: number))
            } else {
                guard let revision = CatalogRevision.number(parts[1]) else { return nil }
                self.init(base: base, position: .changes(revision: revision, number: number))
            }
        default: return nil
        }
    }
}

extension ChangeCursor {
    /// Whether a reader that goes on from the same revision comes to this place after another.
    ///
    /// - Parameter other: The place before.
    /// - Returns: Whether this one is further on.
    package func isBehind(_ other: ChangeCursor) -> Bool {
        base == other.base && other.position.rank < position.rank
    }
}

extension ChangeCursor.Position {
    /// All products come first, then what has changed since.
    fileprivate var rank: (Int, Int64, Int64) {
        switch self {
        case .products(let number): (0, number, 0)
        case .start: (1, 0, 0)
        case .changes(let revision, let number): (2, revision, number)
        }
    }
}

extension ChangeCursor: CustomStringConvertible {
    /// The cursor as a text: the revision, and where there is more, a position behind it.
    package var description: String {
        switch position {
        case .start: "\(base)"
        case .products(let number): "\(base).all.\(number)"
        case .changes(let revision, let number): "\(base).\(revision).\(number)"
        }
    }
}
