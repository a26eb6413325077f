import WireText

/// What an import changes in products that were there before it.
package struct ImportChanges: Hashable, Sendable {
    /// A difference, what is lost before what is merely other.
    ///
    /// The staging tables number them in this order.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case removed = "gone"
        case codeMoved = "whose code goes to another id"
        case priceLost = "without their price"
        case nameLost = "without their name"
        case codeLost = "without their codes"
        case price = "with another price"
        case other = "changed otherwise"
    }

    /// How many products there were before.
    package internal(set) var before = 0
    /// Whether the offers of shops are counted as products are.
    package internal(set) var hasOffers = false
    /// How many products are gone or changed, by the first kind that is true of them.
    package internal(set) var counts: [Kind: Int] = [:]
    /// The first of them, in words.
    package internal(set) var examples: [String] = []
    /// The first codes that go to other ids, in words.
    package internal(set) var movedCodes: [String] = []

    /// How many products are gone or changed.
    package var count: Int { counts.values.reduce(0, +) }

    /// How many products are gone, or have lost something that sells them.
    package var lossCount: Int {
        count - (counts[.price] ?? 0) - (counts[.other] ?? 0)
    }

    /// What was counted, in words.
    package var things: String { hasOffers ? "products and offers of shops" : "products" }

    /// What is different, in words: `12 gone, 3 with another price`.
    package var sentence: String {
        let parts = Kind.allCases.compactMap { kind in
            counts[kind].map { "\($0) \(kind.rawValue)" }
        }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }
}

/// An import that would have changed or taken away more than it may; the catalog is as it was.
package struct ExcessiveChange: Error, Equatable, Sendable, CustomStringConvertible {
    package let path: String
    package let changes: ImportChanges
    package let limit: ChangeLimit
    /// Whether the limit is of what goes alone.
    package let isLoss: Bool

    /// The error as lines of one sentence each.
    package var description: String {
        // What is written then is of all changes.
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

/// How much of a catalog an import may change or take away.
package struct ChangeLimit: Hashable, Sendable, CustomStringConvertible {
    /// A fifth, for files that say what goes.
    package static let standard = ChangeLimit(hundredths: 2000)

    /// Hundredths of a percent, 0…10,000.
    let hundredths: Int

    private init(hundredths: Int) { self.hundredths = hundredths }

    /// Reads a share as users write it, `20%` or `0.5%`; nil if it is none.
    package init?(_ text: String) {
        guard let match = text.wholeMatch(of: /([0-9]{1,3})(?:\.([0-9]{1,2}))?%/),
            let whole = Int(match.1), let rest = Int(((match.2 ?? "") + "00").prefix(2)),
            whole * 100 + rest <= 10_000
        else { return nil }
        self.init(hundredths: whole * 100 + rest)
    }

    /// Whether so many products of so many are no more than this.
    func allows(_ changed: Int, of all: Int) -> Bool {
        changed * 10_000 <= hundredths * all
    }

    /// The least full percentage that allows so many products of so many.
    static func needed(for changed: Int, of all: Int) -> ChangeLimit {
        ChangeLimit(hundredths: all == 0 ? 0 : min((changed * 100 + all - 1) / all, 100) * 100)
    }

    /// The share as users write it.
    package var description: String {
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        let decimals = rest % 10 == 0 ? "\(rest / 10)" : "\(rest < 10 ? "0" : "")\(rest)"
        return rest > 0 ? "\(whole).\(decimals)%" : "\(whole)%"
    }
}
