/// How much of a catalog an import may change or take away.
package struct ChangeLimit: Hashable, Sendable {
    /// A fifth, for files that say what goes.
    package static let standard = ChangeLimit(hundredths: 2000)

    /// Hundredths of a percent, 0…10,000.
    let hundredths: Int

    private init(hundredths: Int) {
        self.hundredths = hundredths
    }

    /// Reads a share as users write it; nil where it is none.
    ///
    /// - Parameter text: 0 to 100 with at most two decimals, and a percent sign: `20%`, `0.5%`.
    package init?(_ text: String) {
        let parts = text.dropLast().split(
            separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let decimals = parts.count > 1 ? parts[1] : "0"
        guard text.hasSuffix("%"), let first = parts.first, let whole = Int(first), whole <= 100,
            (1...2).contains(decimals.utf8.count),
            (first + decimals).utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let rest = Int((decimals + "0").prefix(2))
        else { return nil }
        let hundredths = whole * 100 + rest
        guard hundredths <= 10_000 else { return nil }
        self.init(hundredths: hundredths)
    }

    /// Whether so many products of so many are no more than this.
    func allows(_ changed: Int, of all: Int) -> Bool {
        changed * 10_000 <= hundredths * all
    }

    /// The least full percentage that allows so many products of so many.
    static func needed(for changed: Int, of all: Int) -> ChangeLimit {
        ChangeLimit(hundredths: all == 0 ? 0 : min((changed * 100 + all - 1) / all, 100) * 100)
    }
}

extension ChangeLimit: CustomStringConvertible {
    /// The share as users write it.
    package var description: String {
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        guard rest > 0 else { return "\(whole)%" }
        let decimals = rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)"
        return "\(whole).\(decimals)%"
    }
}
