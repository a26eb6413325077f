import Foundation
import WireText

/// Counts and examples of the changes that an import makes to existing products.
package struct ChangeSummary: Hashable, Sendable {
    /// A kind of change; the SQL in ``Staging`` depends on the order of the cases.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case removed = "gone"
        case codeMoved = "whose code goes to another id"
        case priceLost = "without their price"
        case nameLost = "without their name"
        case codeLost = "without their codes"
        case price = "with another price"
        case other = "changed otherwise"
    }

    package internal(set) var before = 0
    /// Whether the counts include shops' offers as well as products.
    package internal(set) var hasOffers = false
    /// The number of changed products of each kind; each product counts only once.
    package internal(set) var counts: [Kind: Int] = [:]
    /// Descriptions of the first five changes, such as `"A7": price 3.49 EUR becomes 3.59 EUR`.
    package internal(set) var examples: [String] = []
    /// Descriptions of the first five products that lose a code to another product.
    package internal(set) var movedCodes: [String] = []

    package var count: Int { counts.values.reduce(0, +) }

    /// The number of products that are removed, or lose their price, name, all codes, or a code to another product.
    package var lossCount: Int { count - (counts[.price] ?? 0) - (counts[.other] ?? 0) }

    package var things: String { hasOffers ? "products and offers of shops" : "products" }

    /// The counts in words, such as `12 gone, 3 with another price`; `none` if nothing changes.
    package var sentence: String {
        let parts = Kind.allCases.compactMap { kind in
            counts[kind].map { "\($0) \(kind.rawValue)" }
        }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }
}

/// An error thrown if an import would change or remove more products than allowed.
package struct ExcessiveChange: Error, Equatable, Sendable, CustomStringConvertible {
    package let path: String
    package let changes: ChangeSummary
    package let limit: ChangeLimit
    /// Whether the limit applies only to losses, such as removed products or lost prices.
    package let isLoss: Bool

    package var description: String {
        // `--max-change` limits all changes, not only losses.
        let needed = ChangeLimit.needed(for: changes.count, of: changes.before)
        let found =
            isLoss
            ? "\(changes.lossCount) would go, or lose their price, name or codes,"
            : "\(changes.count) would change or go,"
        let moved =
            changes.counts[.codeMoved] == nil
            ? "" : " If codes may go to other ids, write --moved-codes take."
        return """
            \(path.quoted()) was not imported: of \(changes.before) \(changes.things) \(found) and \
            \(limit) of them may.
            They would be: \(changes.sentence).
            \((changes.examples + ["To import it nevertheless"]).joined(separator: "\n")), \
            write --max-change \(needed).\(moved)
            """
    }
}

/// The largest percentage of a catalog's products that an import may change or remove.
package struct ChangeLimit: Hashable, Sendable, CustomStringConvertible {
    package static let standard = ChangeLimit(percent: 20)
    let percent: Decimal

    private init(percent: Decimal) { self.percent = percent }

    /// Parses a percentage such as `20%` or `0.5%`; nil for other text.
    package init?(_ text: String) {
        guard text.wholeMatch(of: /[0-9]{1,3}(\.[0-9]{1,2})?%/) != nil,
            let percent = Decimal(string: String(text.dropLast())), percent <= 100
        else { return nil }
        self.init(percent: percent)
    }

    func allows(_ changed: Int, of all: Int) -> Bool {
        Decimal(changed) * 100 <= percent * Decimal(all)
    }

    /// Returns the lowest limit in whole percent that allows `changed` of `all` products to change.
    static func needed(for changed: Int, of all: Int) -> ChangeLimit {
        ChangeLimit(percent: Decimal(all == 0 ? 0 : min((changed * 100 + all - 1) / all, 100)))
    }

    package var description: String { "\(percent)%" }
}
