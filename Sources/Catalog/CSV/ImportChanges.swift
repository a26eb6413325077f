import WireText

/// What an import changes in products that were there before it.
package struct ImportChanges: Hashable, Sendable {
    /// Something that is otherwise than before.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The product is not there any more.
        case removed = "gone"
        /// It has no price any more.
        case priceLost = "without their price"
        /// It has another price.
        case price = "with another price"
        /// It has no name any more.
        case nameLost = "without their name"
        /// It has no code any more.
        case codeLost = "without their codes"
        /// It has another name, other codes, another unit or other attributes.
        case other = "changed otherwise"
    }

    /// How many products are shown as examples.
    private static let exampleLimit = 5

    /// How many products there were before.
    package internal(set) var before = 0
    /// Whether the offers of shops are counted as products are.
    package internal(set) var hasOffers = false
    /// How many products are gone or changed, by the first kind that is true of them.
    package private(set) var counts: [Kind: Int] = [:]
    /// The first of them, in words.
    package private(set) var examples: [String] = []

    /// How many products are gone or changed.
    package var count: Int { counts.values.reduce(0, +) }

    /// How many products are gone, or have lost something that sells them.
    package var lossCount: Int {
        [.removed, .priceLost, .nameLost, .codeLost].reduce(0) { $0 + (counts[$1] ?? 0) }
    }

    /// What was counted, in words.
    package var things: String { hasOffers ? "products and offers of shops" : "products" }

    /// Takes what others have noted.
    mutating func add(_ other: ImportChanges) {
        counts.merge(other.counts, uniquingKeysWith: +)
        examples += other.examples.prefix(Self.exampleLimit - examples.count)
    }

    /// Notes a product that has changed, in a shop or in all.
    mutating func note(
        _ old: Product, became new: Product, in scope: CatalogScope? = nil
    ) {
        let kind = Self.kind(old, new)
        let detail =
            switch kind {
            case .removed, .other: kind.rawValue
            case .price where old.price == new.price: "other prices for a time"
            case .price, .priceLost:
                "price \(old.price.map { "\($0)" } ?? "none") becomes "
                    + (new.price.map { "\($0)" } ?? "none")
            case .nameLost: "name \((old.name ?? "").quoted()) becomes none"
            case .codeLost: "codes \(Self.list(old.codes)) become none"
            }
        note(kind, old.id, scope, detail)
    }

    /// Notes a product that is gone, in a shop or in all.
    mutating func noteRemoval(id: String, in scope: CatalogScope? = nil) {
        note(.removed, id, scope, "goes")
    }

    private mutating func note(
        _ kind: Kind, _ id: String, _ scope: CatalogScope?, _ detail: @autoclosure () -> String
    ) {
        counts[kind, default: 0] += 1
        guard examples.count < Self.exampleLimit else { return }
        let place = scope.map { " in \($0)" } ?? ""
        examples.append("\(id.quoted())\(place): \(detail())")
    }

    private static func kind(_ old: Product, _ new: Product) -> Kind {
        if old.price != new.price || old.datedPrices != new.datedPrices {
            let isLost = new.price == nil && old.price != nil
            return isLost && new.datedPrices.isEmpty ? .priceLost : .price
        }
        if old.name != nil, new.name == nil { return .nameLost }
        return !old.codes.isEmpty && new.codes.isEmpty ? .codeLost : .other
    }

    private static func list(_ codes: [String]) -> String {
        codes.prefix(3).map { $0.quoted() }.joined(separator: ", ")
    }

    /// What is otherwise, in words: `12 gone, 3 with another price`.
    package var sentence: String {
        let parts = Kind.allCases.compactMap { kind in
            counts[kind].map { "\($0) \(kind.rawValue)" }
        }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }
}

/// An import that would have changed or taken away more than it may; the catalog is as it was.
package struct ExcessiveChange: Error, Equatable, Sendable {
    /// What messages call the file.
    package let path: String
    /// What would be otherwise.
    package let changes: ImportChanges
    /// How much may be.
    package let limit: ChangeLimit
    /// Whether the limit is of what goes alone.
    package let isLoss: Bool
}

extension ExcessiveChange: CustomStringConvertible {
    /// The error as lines of one sentence each.
    package var description: String {
        // What is written then is of all changes.
        let needed = ChangeLimit.needed(for: changes.count, of: changes.before)
        let found =
            isLoss
            ? "\(changes.lossCount) would go, or lose their price, name or codes,"
            : "\(changes.count) would change or go,"
        let first =
            "Nothing of \(path.quoted()) was imported: of \(changes.before) \(changes.things) \(found) and "
            + "\(limit) of them may."
        let last = "To import it nevertheless, write --max-change \(needed)."
        return ([first, "They would be: \(changes.sentence)."] + changes.examples + [last])
            .joined(separator: "\n")
    }
}
