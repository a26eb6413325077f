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
        guard text.hasSuffix("%"), let number = try? DecimalText(String(text.dropLast())),
            number.decimals.count <= 2, number.separator != UInt8(ascii: ","),
            let whole = Int(Substring(number.whole).isEmpty ? "0" : Substring(number.whole)),
            whole <= 100
        else { return nil }
        let decimals = String(Substring(number.decimals)) + "00"
        let hundredths = whole * 100 + (Int(decimals.prefix(2)) ?? 0)
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
