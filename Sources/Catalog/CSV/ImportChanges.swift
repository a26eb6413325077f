import WireText

/// What an import changes in products that were there before it.
package struct ImportChanges: Hashable, Sendable {
    /// Something that is otherwise than before; what is lost stands ahead of what is other.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The product is not there any more.
        case removed = "gone"
        /// It has no price any more.
        case priceLost = "without their price"
        /// It has no name any more.
        case nameLost = "without their name"
        /// It has no code any more.
        case codeLost = "without their codes"
        /// It has another price.
        case price = "with another price"
        /// It has another name, other codes, another unit or other attributes.
        case other = "changed otherwise"
    }

    private struct Example: Hashable {
        let subject: String
        var detail: String
    }

    /// How many products are shown as examples.
    private static let exampleLimit = 5

    /// How many products there were before.
    package internal(set) var before = 0
    /// Whether the offers of shops are counted as products are.
    package internal(set) var hasOffers = false
    /// How many products are gone or changed, by the first kind that is true of them.
    package private(set) var counts: [Kind: Int] = [:]
    private var shown: [Example] = []

    /// The first of them, in words.
    package var examples: [String] { shown.map { "\($0.subject): \($0.detail)" } }

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
        shown += other.shown.prefix(Self.exampleLimit - shown.count)
    }

    /// Notes a product that has changed or is gone, in a shop or in all.
    ///
    /// Where something was noted of it before, the worse of both counts.
    ///
    /// - Parameters:
    ///   - old: The product as it was.
    ///   - new: As it is; nil for one that is gone.
    ///   - number: Its number in the tables.
    ///   - noted: What was noted before of the products of the same place.
    ///   - scope: The shop; nil for all.
    mutating func note(
        _ old: Product, became new: Product?, number: Int64, _ noted: inout NotedKinds,
        in scope: CatalogScope? = nil
    ) {
        let kind = new.map { Kind(old, became: $0) } ?? .removed
        let earlier = noted[number]
        if let earlier, !kind.isWorse(than: earlier) { return }
        noted.insert(kind, of: number)
        counts[kind, default: 0] += 1
        let subject = old.id.quoted() + (scope.map { " in \($0)" } ?? "")
        if let earlier {
            forget(earlier)
            guard let index = shown.firstIndex(where: { $0.subject == subject }) else { return }
            shown[index].detail = Self.detail(of: kind, old, new)
        } else if shown.count < Self.exampleLimit {
            shown.append(Example(subject: subject, detail: Self.detail(of: kind, old, new)))
        }
    }

    private mutating func forget(_ kind: Kind) {
        let rest = (counts[kind] ?? 0) - 1
        counts[kind] = rest > 0 ? rest : nil
    }

    private static func detail(of kind: Kind, _ old: Product, _ new: Product?) -> String {
        let price = new?.price
        return switch kind {
        case .removed: "goes"
        case .other: kind.rawValue
        case .price where old.price == price: "other prices for a time"
        case .priceLost where old.price == nil: "no price for a time any more"
        case .price, .priceLost:
            "price \(old.price.map { "\($0)" } ?? "none") becomes "
                + (price.map { "\($0)" } ?? "none")
        case .nameLost: "name \((old.name ?? "").quoted()) becomes none"
        case .codeLost: "codes \(list(old.codes)) become none"
        }
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

extension ImportChanges.Kind {
    /// What is otherwise in a product that is still there: the first that is true of it.
    init(_ old: Product, became new: Product) {
        let hasOtherPrices = old.price != new.price || old.datedPrices != new.datedPrices
        if hasOtherPrices, new.price == nil, new.datedPrices.isEmpty {
            self = .priceLost
        } else if old.name != nil, new.name == nil {
            self = .nameLost
        } else if !old.codes.isEmpty, new.codes.isEmpty {
            self = .codeLost
        } else {
            self = hasOtherPrices ? .price : .other
        }
    }

    /// Whether this is to be told rather than another one that is true of the same product.
    fileprivate func isWorse(than other: Self) -> Bool {
        self != other && Self.allCases.first { $0 == self || $0 == other } == self
    }
}

/// What was noted of each product, by its number.
struct NotedKinds {
    private var numbers: [ImportChanges.Kind: NumberSet] = [:]

    /// The worst that was noted of a product; nil where nothing was.
    subscript(number: Int64) -> ImportChanges.Kind? {
        guard !numbers.isEmpty else { return nil }
        return ImportChanges.Kind.allCases.first { numbers[$0]?.contains(number) == true }
    }

    fileprivate mutating func insert(_ kind: ImportChanges.Kind, of number: Int64) {
        _ = numbers[kind, default: NumberSet()].insert(number)
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
