extension CheckDigit {
    /// Computes the check digit of a price or weight inside an in-store code.
    ///
    /// Each digit is multiplied by its factor. For the factors `2-` and `5-`, the tens of the product are subtracted
    /// from its units; for `5+`, they are added. Only the last digit of the result counts.
    ///
    /// Four digits have the factors 2-, 2-, 3 and 5-. Their check digit is the last digit of three times the sum.
    ///
    /// Five digits have the factors 5+, 2-, 5-, 5+ and 2-. Their check digit has the factor 5- and completes the sum
    /// to a multiple of ten.
    ///
    /// - Parameter digits: Four or five ASCII digits.
    /// - Returns: 0…9, or nil for any other text.
    ///
    /// Rule: GS1 General Specifications, sections 7.9.2 to 7.9.4.
    public static func priceOrWeight(for digits: some StringProtocol) -> Int? {
        guard (4...5).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isDigit) else {
            return nil
        }
        return priceOrWeight(digits.utf8.map(\.digitValue))
    }

    /// Computes the check digit; the caller must pass four or five digits.
    static func priceOrWeight(_ digits: [Int]) -> Int {
        let tables =
            digits.count == 4
            ? [twoMinus, twoMinus, (0...9).map { $0 * 3 }, fiveMinus]
            : [fivePlus, twoMinus, fiveMinus, fivePlus, twoMinus]
        let sum = zip(tables, digits).reduce(0) { $0 + $1.0[$1.1] }
        return digits.count == 4 ? sum * 3 % 10 : fiveMinus.firstIndex(of: (100 - sum) % 10) ?? 0
    }

    private static let twoMinus = [0, 2, 4, 6, 8, 9, 1, 3, 5, 7]
    private static let fivePlus = [0, 5, 1, 6, 2, 7, 3, 8, 4, 9]
    private static let fiveMinus = [0, 5, 9, 4, 8, 3, 7, 2, 6, 1]
}
